import type { Texts } from './read-file.ts';

const latin = new TextDecoder('latin1');
const utf8 = new TextDecoder();

/** The metadata of the file, in `moov/udta/meta` or `moov/meta`: names in `keys`, values in `ilst`. */
export function textsInMp4(bytes: Uint8Array): Texts {
  const texts = new Map<string, string>();
  const moov = boxes(bytes).find(({ type }) => type === 'moov');
  if (!moov) return texts;
  const inner = boxes(moov.data);
  const udta = inner.find(({ type }) => type === 'udta');
  for (const { type, data } of [...inner, ...(udta ? boxes(udta.data) : [])]) {
    if (type === 'meta') for (const [name, value] of textsInMeta(data)) texts.set(name, value);
  }
  return texts;
}

interface Box {
  readonly type: string;
  readonly data: Uint8Array;
}

function boxes(bytes: Uint8Array): Box[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: Box[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    let size = view.getUint32(at);
    let header = 8;
    if (size === 1 && at + 16 <= bytes.length) {
      size = Number(view.getBigUint64(at + 8));
      header = 16;
    }
    // The box extends to the end of the file.
    if (size === 0) size = bytes.length - at;
    if (size < header) break;
    found.push({
      type: latin.decode(bytes.subarray(at + 4, at + 8)),
      data: bytes.subarray(at + header, at + size),
    });
    at += size;
  }
  return found;
}

function textsInMeta(meta: Uint8Array): Texts {
  // MP4 starts with four bytes of version, QuickTime does not.
  const isFull = latin.decode(meta.subarray(4, 8)) !== 'hdlr';
  const parts = boxes(isFull ? meta.subarray(4) : meta);
  const keys = keysIn(parts.find(({ type }) => type === 'keys')?.data);
  const texts = new Map<string, string>();
  for (const { type, data } of boxes(
    parts.find(({ type: each }) => each === 'ilst')?.data ?? new Uint8Array(),
  )) {
    const value = boxes(data).find((box) => box.type === 'data')?.data;
    if (!value) continue;
    const name = keys[indexOf(type) - 1] ?? type;
    texts.set(name, utf8.decode(value.subarray(8)));
    // Some writers put everything into the comment, as JSON.
    if (type === '©cmt' || name === 'comment') spread(texts, utf8.decode(value.subarray(8)));
  }
  return texts;
}

/** The type of an entry named in `keys` is its index there. */
function indexOf(type: string): number {
  return Array.from(type, (char) => char.codePointAt(0) ?? 0).reduce((sum, byte) => sum * 256 + byte, 0);
}

function keysIn(data: Uint8Array | undefined): string[] {
  return data ? boxes(data.subarray(8)).map((box) => utf8.decode(box.data)) : [];
}

function spread(texts: Map<string, string>, comment: string): void {
  try {
    const parsed: unknown = JSON.parse(comment);
    if (typeof parsed !== 'object' || parsed === null) return;
    for (const name of ['workflow', 'prompt']) {
      const value = (parsed as Record<string, unknown>)[name];
      if (value !== undefined) texts.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
  } catch {
    // An ordinary comment.
  }
}
