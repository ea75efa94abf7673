import { invalid } from '../platform/errors/app-error.ts';
import { cleanFileName } from '../platform/files/clean-file-name.ts';
import { parseMediaType } from '../platform/files/media-types.ts';

/** The trimmed name. Refused when it cannot be the last part of a URL or path. */
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
  const type = spellMediaType(text);
  if (type === undefined) throw invalid('content_type is not a media type such as image/png.');
  return type;
}

/** The one spelling of a media type: only values of parameters, except charsets, keep their case. `undefined` for other text. */
export function spellMediaType(text: string): string | undefined {
  if (parseMediaType(text) === undefined) return undefined;
  const [type = '', ...parameters] = text.trim().split(/\s*;\s*/);
  const spelled = [type.toLowerCase(), ...parameters.map(spellParameter)].join('; ');
  // The lower case of some non-ASCII characters is ASCII.
  return /^[ -~]+$/.test(spelled) ? spelled : undefined;
}

function spellParameter(text: string): string {
  const at = text.indexOf('=');
  const name = text.slice(0, at).toLowerCase();
  const value = text.slice(at + 1);
  return `${name}=${name === 'charset' ? value.toLowerCase() : value}`;
}
