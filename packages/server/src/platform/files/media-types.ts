import { loadOnce } from '../load-once.ts';
import type { Disposition } from './file-store.ts';

export const OCTET_STREAM = 'application/octet-stream';

/** How many bytes decide the type of a file. */
export const DETECTION_BYTES = 65_536;

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(; ?${TOKEN}=(${TOKEN}|"[\\w .,:+/-]*"))*$`);

/** Markup, scripts and their containers. Substrings also match `+xml`, `x-` and vendor spellings. */
const ACTIVE = /html|xml|svg|xsl|script|pdf|flash|wasm|java|^multipart\/|^message\//;

const PLAYABLE = /^(image|video|audio)\//;

/** The parser takes the byte order mark of UTF-16 for an MPEG frame. */
const BYTE_ORDER_MARK = /^(\xEF\xBB\xBF|\xFF\xFE|\xFE\xFF)/;
/** The parser needs a TIFF's directory, which usually follows the pixels, far beyond the head. */
const TIFF = /^(II\*\0|MM\0\*)/;

export const loadFileType = loadOnce(async () => await import('file-type'));

/** Detects binary formats. Text, XML (also SVG) and unknown formats are `application/octet-stream`. */
export async function detectMediaType(head: Uint8Array): Promise<string> {
  const start = Buffer.from(head.subarray(0, 4)).toString('latin1');
  if (BYTE_ORDER_MARK.test(start)) return OCTET_STREAM;
  // A file that breaks the parser has no known type.
  const { fileTypeFromBuffer } = await loadFileType();
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (!found) return TIFF.test(start) ? 'image/tiff' : OCTET_STREAM;
  return /[/+]xml$|^text\//.test(found.mime) ? OCTET_STREAM : found.mime.toLowerCase();
}

/** The type in lower case, or `application/octet-stream` for what is not valid in a header. */
export function toMediaType(text: string): string {
  const type = text.toLowerCase();
  return MEDIA_TYPE.test(type) ? type : OCTET_STREAM;
}

/** A normalized type with its parameters, for comparisons; `undefined` for an invalid one. */
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
