import { AppError } from '../platform/errors/app-error.ts';
import { cleanFileName } from '../platform/files/clean-file-name.ts';
import { parseMediaType } from '../platform/files/media-types.ts';

/** The name without blanks around it; refused when it could not be the last part of an address or a path. */
export function toFileName(text: string): string {
  const name = text.trim();
  if (/[/\\]/.test(name)) throw invalid('file_name is a plain name and has no slash or backslash.');
  if (/^\.*$/.test(name)) throw invalid('file_name is empty or has nothing but dots and blanks.');
  if (cleanFileName(name) !== name) {
    throw invalid('file_name has a control character or one that turns the direction of writing.');
  }
  return name;
}

export function toMediaType(text: string): string {
  const type = parseMediaType(text);
  if (type === undefined) throw invalid('content_type is not a media type such as image/png.');
  return type;
}

function invalid(sentence: string): AppError {
  return new AppError('request.invalid', sentence);
}
