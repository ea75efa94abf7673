/** A file that may have several frames, as its blocks say. */
export interface AnimationKind {
  readonly format: 'apng' | 'gif';
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** The file is not truncated. */
  readonly complete: boolean;
}

/** `undefined` for a PNG that does not declare its animation before its pixels. */
export function apngKind(bytes: Buffer): AnimationKind | undefined {
  let animated = false;
  let frames = 0;
  let complete = false;
  for (let at = 8; at + 12 <= bytes.length && !complete; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') animated = true;
    if (type === 'IDAT' && !animated) return undefined;
    if (type === 'fcTL') frames++;
    complete = type === 'IEND';
  }
  if (!animated) return undefined;
  return { format: 'apng', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), frames, complete };
}

const GIF_HEADER_BYTES = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const IMAGE_HEADER_BYTES = 10;

export function gifKind(bytes: Buffer): AnimationKind | undefined {
  if (bytes.length < GIF_HEADER_BYTES) return undefined;
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  let frames = 0;
  let at = GIF_HEADER_BYTES + paletteBytes(bytes[10]);
  // Any other block ends the file.
  while (bytes[at] === EXTENSION || bytes[at] === IMAGE) {
    if (bytes[at] === IMAGE) {
      frames++;
      at += IMAGE_HEADER_BYTES + paletteBytes(bytes[at + 9]) + 1;
    } else at += 2;
    at = afterBlocks(bytes, at);
  }
  return { format: 'gif', ...size, frames, complete: at <= bytes.length };
}

/** The size of the palette that the flags of a header announce. */
function paletteBytes(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1);
}

/** The position after a chain of blocks that ends with an empty one; past the end of the file if it never ends. */
function afterBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (let length = bytes[at]; length !== 0; length = bytes[at]) {
    if (length === undefined) return bytes.length + 1;
    at += 1 + length;
  }
  return at + 1;
}
