import { detectMediaType, loadFileType, OCTET_STREAM } from '../../platform/files/media-types.ts';
import { readHead } from '../../platform/files/read-head.ts';

/** Types that no detector can tell from other text. Browsers run none of them: they are sent as attachments or plain text. */
const TYPE_OF_EXTENSION: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  srt: 'text/plain',
  json: 'application/json',
};
const NO_EXTENSION = 'bin';

/** The type of the content, or if none was detected, the one that the name suggests. */
export function mediaTypeOf(detected: string, fileName: string): string {
  if (detected !== OCTET_STREAM) return detected;
  return TYPE_OF_EXTENSION[ownExtension(fileName)] ?? detected;
}

/** The extension without the dot: of the content if its type is known, otherwise of the name, cleaned. */
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
