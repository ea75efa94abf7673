import { loadOnce } from '../load-once.ts';
import type { Disposition } from './file-store.ts';

export const OCTET_STREAM = 'application/octet-stream';

/** So much of a file's beginning decides its type. */
export const DETECTION_BYTES = 65_536;

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(; ?${TOKEN}=(${TOKEN}|"[\\w .,:+/-]*"))*$`);

/** Markup, script and containers of them. Substrings, so that `+xml`, `x-` and vendor spellings are caught too. */
const ACTIVE = /html|xml|svg|xsl|script|pdf|flash|wasm|java|^multipart\/|^message\//;

const PLAYABLE = /^(image|video|audio)\//;

/** The parser takes the mark of UTF-16 text for the start of an MPEG frame. */
const BYTE_ORDER_MARK = /^(\xEF\xBB\xBF|\xFF\xFE|\xFE\xFF)/;
/** The parser wants a TIFF's directory, which most writers put behind the pixels, far beyond the head. */
const TIFF = /^(II\*\0|MM\0\*)/;

export const loadFileType = loadOnce(async () => await import('file-type'));

/** Names binary formats. XML (and so SVG) and text stay unnamed, as does whatever cannot be made out. */
export async function detectMediaType(head: Uint8Array): Promise<string> {
  const start = Buffer.from(head.subarray(0, 4)).toString('latin1');
  if (BYTE_ORDER_MARK.test(start)) return OCTET_STREAM;
  // Whatever hostile bytes do to the parser, they are at worst a file of no known type.
  const { fileTypeFromBuffer } = await loadFileType();
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (!found) return TIFF.test(start) ? 'image/tiff' : OCTET_STREAM;
  return /[/+]xml$|^text\//.test(found.mime) ? OCTET_STREAM : found.mime.toLowerCase();
}

/** The type in lower case, or `application/octet-stream` for what could not stand in a header. */
export function toMediaType(text: string): string {
  const type = text.toLowerCase();
  return MEDIA_TYPE.test(type) ? type : OCTET_STREAM;
}

/** One spelling for each type and its parameters, so that two can be compared; `undefined` for what is not a type. */
export function parseMediaType(text: string): string | undefined {
  const type = text
    .trim()
    .toLowerCase()
    .replace(/\s*;\s*/g, '; ');
  return MEDIA_TYPE.test(type) ? type : undefined;
}

export function dispositionFor(mediaType: string, wanted: Disposition | undefined): Disposition {
  if (ACTIVE.test(mediaType)) return 'attachment';
  return wanted ?? (PLAYABLE.test(mediaType) ? 'inline' : 'attachment');
}
