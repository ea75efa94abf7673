const MAX_CHARACTERS = 255;
/** Routers count UTF-16 units, two for an astral character. */
export const MAX_FILE_NAME_UNITS = MAX_CHARACTERS * 2;
const MAX_EXTENSION = 16;

/**
 * A name that is safe as a path segment and as a file on the reader's disk: without separators, control and line characters,
 * and the bidirectional marks that can disguise an extension.
 */
export function cleanFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]/gu, '_')
    .trim();
  // URL parsers resolve "." and "..", even percent-encoded.
  if (/^\.*$/.test(clean)) return 'file';

  const characters = Array.from(clean);
  if (characters.length <= MAX_CHARACTERS) return clean;
  const dot = characters.lastIndexOf('.');
  const extension = characters.length - dot <= MAX_EXTENSION ? characters.slice(dot) : [];
  return [...characters.slice(0, MAX_CHARACTERS - extension.length), ...extension].join('');
}
