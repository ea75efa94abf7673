import { invalid } from '../platform/errors/app-error.ts';
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
  const type = spellMediaType(text);
  if (type === undefined) throw invalid('content_type is not a media type such as image/png.');
  return type;
}

/**
 * One spelling for what is the same: types, names of parameters and charsets have no case, other values do. `undefined`
 * for what is not a media type.
 */
export function spellMediaType(text: string): string | undefined {
  if (parseMediaType(text) === undefined) return undefined;
  const [type = '', ...parameters] = text.trim().split(/\s*;\s*/);
  const spelled = [type.toLowerCase(), ...parameters.map(spellParameter)].join('; ');
  // Some characters beyond ASCII have a lower case within it.
  return /^[ -~]+$/.test(spelled) ? spelled : undefined;
}

function spellParameter(text: string): string {
  const at = text.indexOf('=');
  const name = text.slice(0, at).toLowerCase();
  const value = text.slice(at + 1);
  return `${name}=${name === 'charset' ? value.toLowerCase() : value}`;
}
