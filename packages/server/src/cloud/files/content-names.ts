import { detectMediaType, loadFileType, OCTET_STREAM } from '../../platform/files/media-types.ts';
import { readHead } from '../../platform/files/read-head.ts';

/** What no detector can tell apart from other text. A browser runs none of them: they are attachments, or plain text. */
const TYPE_OF_EXTENSION: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  srt: 'text/plain',
  json: 'application/json',
};
const NO_EXTENSION = 'bin';

/** The type that the content has, or where it shows none, the one that the name promises. */
export function mediaTypeOf(detected: string, fileName: string): string {
  if (detected !== OCTET_STREAM) return detected;
  return TYPE_OF_EXTENSION[ownExtension(fileName)] ?? detected;
}

/** Without the dot: of the content where that can be told, else of the name, cleaned. */
export async function extensionFor(path: string, fileName: string): Promise<string> {
  const head = await readHead(path);
  const mediaType = await detectMediaType(head);
  if (mediaType === OCTET_STREAM) return ownExtension(fileName);
  if (mediaType === 'image/tiff') return 'tif';
  const { fileTypeFromBuffer } = await loadFileType();
  return (await fileTypeFromBuffer(head))?.ext ?? ownExtension(fileName);
}

function ownExtension(fileName: string): string {
  return /\.([a-z0-9]{1,10})$/.exec(fileName.trim().toLowerCase())?.[1] ?? NO_EXTENSION;
}
