import type { Texts } from './read-file.ts';

const latin = new TextDecoder('latin1');
const utf8 = new TextDecoder();

/** The texts of `tEXt` and of `iTXt` that is not compressed. */
export function textsInPng(bytes: Uint8Array): Texts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts = new Map<string, string>();
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = latin.decode(bytes.subarray(at + 4, at + 8));
    const data = bytes.subarray(at + 8, at + 8 + length);
    const end = data.indexOf(0);
    const name = latin.decode(data.subarray(0, Math.max(0, end)));
    if (type === 'tEXt' && end > 0) texts.set(name, latin.decode(data.subarray(end + 1)));
    if (type === 'iTXt' && end > 0 && data[end + 1] === 0) {
      // Two bytes of compression, then language and translated keyword, each terminated by a zero byte.
      const language = data.indexOf(0, end + 3);
      const translated = data.indexOf(0, language + 1);
      texts.set(name, utf8.decode(data.subarray(translated + 1)));
    }
    at += 12 + length;
  }
  return texts;
}
