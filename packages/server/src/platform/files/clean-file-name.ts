const MAX_CHARACTERS = 255;
/** An astral character is two UTF-16 units, which is how a router counts. */
export const MAX_FILE_NAME_UNITS = MAX_CHARACTERS * 2;
const MAX_EXTENSION = 16;

/**
 * A name that is safe as one path segment and as a file on the reader's disk: no separators, no control or
 * line characters, none of the marks that turn the direction of writing to disguise an extension.
 */
export function cleanFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]/gu, '_')
    .trim();
  // URL parsers resolve "." and "..", also when they are percent-encoded.
  if (/^\.*$/.test(clean)) return 'file';

  const characters = Array.from(clean);
  if (characters.length <= MAX_CHARACTERS) return clean;
  const dot = characters.lastIndexOf('.');
  const extension = characters.length - dot <= MAX_EXTENSION ? characters.slice(dot) : [];
  return [...characters.slice(0, MAX_CHARACTERS - extension.length), ...extension].join('');
}
