const MIN_LENGTH = 400;
const MIN_BYTES = 200;
/** The first bytes of pictures, fonts, sounds and texts, which packs embed in good faith. */
const KNOWN =
  '\x89PNG \xff\xd8\xff GIF8 RIFF wOFF wOF2 OTTO \0\x01\0\0 OggS ID3 \xff\xfb <svg <?xml <html <!DOCTYPE {" BM %PDF glTF'.split(
    ' ',
  );

/** A long run of base64, hex or bytes that no one can read. */
export function isUnreadable(text: string): boolean {
  if (text.length >= MIN_LENGTH && /^[\w+/=\s-]+$/.test(text))
    return !/\s[a-z]{1,12}\s[a-z]{1,12}\s/i.test(text) && entropy(text) > 2.5;
  if (text.length < MIN_BYTES) return false;
  const odd = text.match(/[^\t\n\r -~\u0100-\uffff]/g)?.length ?? 0;
  return odd > text.length / 4;
}

/** Whether an unreadable text decodes to something known. */
export function isReadable(text: string): boolean {
  const start = text.slice(0, 64);
  const forms = [
    start,
    ...(['base64', 'hex'] as const).map((code) => Buffer.from(start, code).toString('latin1')),
  ];
  return forms.some((form) => KNOWN.some((known) => form.startsWith(known)));
}

/** Bits per character: 4 for hex, 6 for base64, about 4 for English with blanks. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  const sample = text.slice(0, 4096);
  for (const letter of sample) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / sample.length) * Math.log2(count / sample.length);
  return bits;
}
