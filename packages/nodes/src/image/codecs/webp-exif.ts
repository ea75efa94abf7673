/** A tag of an EXIF directory, and its text. */
export type ExifText = readonly [tag: number, text: string];

const ASCII = 2;
const EXIF_FLAG = 0x08;
const ALPHA_FLAG = 0x10;

/** An EXIF block with texts only, as Pillow writes it: big-endian, tags in order, every text with a NUL. */
export function exifBlock(texts: readonly ExifText[]): Buffer {
  const entries = texts.toSorted(([a], [b]) => a - b).map(([tag, text]) => ({ tag, data: asciiz(text) }));
  const directory = Buffer.alloc(8 + 2 + entries.length * 12 + 4);
  directory.write('MM\0*', 0, 'latin1');
  directory.writeUInt32BE(8, 4);
  directory.writeUInt16BE(entries.length, 8);
  const values: Buffer[] = [];
  let offset = directory.length;
  entries.forEach(({ tag, data }, index) => {
    const at = 10 + index * 12;
    directory.writeUInt16BE(tag, at);
    directory.writeUInt16BE(ASCII, at + 2);
    directory.writeUInt32BE(data.length, at + 4);
    if (data.length <= 4) {
      data.copy(directory, at + 8);
      return;
    }
    directory.writeUInt32BE(offset, at + 8);
    // Values start at even offsets.
    const padded = Buffer.concat([data, Buffer.alloc(data.length % 2)]);
    values.push(padded);
    offset += padded.length;
  });
  return Buffer.concat([directory, ...values]);
}

function asciiz(text: string): Buffer {
  // oxlint-disable-next-line no-control-regex
  return Buffer.from(`${text.replaceAll(/[^\0-\u007f]/gu, '?')}\0`, 'latin1');
}

/** Adds an EXIF block after the pixels. A file in the simple layout gets the extended header that this needs. */
export function addExif(
  webp: Uint8Array,
  exif: Uint8Array,
  {
    width,
    height,
    hasAlpha,
  }: { readonly width: number; readonly height: number; readonly hasAlpha: boolean },
): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(webp.buffer, webp.byteOffset, webp.byteLength);
  const isExtended = bytes.toString('latin1', 12, 16) === 'VP8X';
  const header = Buffer.alloc(18);
  if (isExtended) bytes.copy(header, 0, 12, 30);
  else {
    header.write('VP8X', 0, 'latin1');
    header.writeUInt32LE(10, 4);
    header[8] = hasAlpha ? ALPHA_FLAG : 0;
    header.writeUIntLE(width - 1, 12, 3);
    header.writeUIntLE(height - 1, 15, 3);
  }
  header[8] = (header[8] ?? 0) | EXIF_FLAG;
  return riff([header, bytes.subarray(isExtended ? 30 : 12), chunk('EXIF', exif)]);
}

/** Multiplies the durations of all frames, in place. */
export function stretchFrames(webp: Buffer<ArrayBuffer>, factor: number): void {
  for (let at = 12; at + 24 <= webp.length; ) {
    const length = webp.readUInt32LE(at + 4);
    if (webp.toString('latin1', at, at + 4) === 'ANMF') {
      const durationMs = Math.round(webp.readUIntLE(at + 20, 3) * factor);
      webp.writeUIntLE(Math.min(0xffffff, durationMs), at + 20, 3);
    }
    at += 8 + length + (length % 2);
  }
}

function riff(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(12);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(4 + chunks.reduce((sum, { length }) => sum + length, 0), 4);
  head.write('WEBP', 8, 'latin1');
  return Buffer.concat([head, ...chunks]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
