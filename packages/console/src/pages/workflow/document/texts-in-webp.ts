import type { Texts } from './read-file.ts';

const utf8 = new TextDecoder();

/** The texts of the EXIF part, each `workflow:{…}` or `prompt:{…}` in a tag of its own. */
export function textsInWebp(bytes: Uint8Array): Texts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at + 4, true);
    if (utf8.decode(bytes.subarray(at, at + 4)) === 'EXIF') {
      return textsInExif(bytes.subarray(at + 8, at + 8 + length));
    }
    at += 8 + length + (length % 2);
  }
  return new Map();
}

const ASCII = 2;
const ENTRY = 12;

function textsInExif(data: Uint8Array): Texts {
  const hasPrefix = utf8.decode(data.subarray(0, 4)) === 'Exif';
  const tiff = hasPrefix ? data.subarray(6) : data;
  const texts = new Map<string, string>();
  if (tiff.length < 8) return texts;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const isLittle = view.getUint16(0) === 0x4949;
  const first = view.getUint32(4, isLittle);
  if (first + 2 > tiff.length) return texts;
  const count = view.getUint16(first, isLittle);
  for (let index = 0; index < count; index++) {
    const entry = first + 2 + index * ENTRY;
    if (entry + ENTRY > tiff.length) break;
    if (view.getUint16(entry + 2, isLittle) !== ASCII) continue;
    const length = view.getUint32(entry + 4, isLittle);
    const offset = length <= 4 ? entry + 8 : view.getUint32(entry + 8, isLittle);
    const text = utf8.decode(tiff.subarray(offset, offset + length)).replace(/\0+$/, '');
    const [, name, value] = /^(\w+):(.*)$/s.exec(text) ?? [];
    if (name !== undefined && value !== undefined) texts.set(name.toLowerCase(), value);
  }
  return texts;
}
