const DEPTH = 8;

/** The buffers inside a value of a node. Pictures are objects with typed arrays in them. */
export function buffersOf(value: unknown): Set<ArrayBuffer> {
  const found = new Set<ArrayBuffer>();
  collect(value, found, new Set(), 0);
  return found;
}

function collect(value: unknown, found: Set<ArrayBuffer>, seen: Set<object>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > DEPTH) return;
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
    return;
  }
  if (value instanceof ArrayBuffer) {
    found.add(value);
    return;
  }
  if (seen.has(value)) return;
  seen.add(value);
  for (const part of Object.values(value)) collect(part, found, seen, depth + 1);
}

/** Values with more parts are not measured. */
const MAX_PARTS = 100_000;
const PART_BYTES = 32;

/** Estimates the memory of a value without its buffers; infinite if it has too many parts. */
export function bytesBesidesBuffers(value: unknown): number {
  let bytes = 0;
  let parts = 0;
  const seen = new Set<object>();
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const at = stack.pop();
    parts += 1;
    if (parts > MAX_PARTS) return Number.POSITIVE_INFINITY;
    bytes += PART_BYTES;
    if (typeof at === 'string') bytes += at.length * 2;
    if (typeof at !== 'object' || at === null || ArrayBuffer.isView(at) || seen.has(at)) continue;
    seen.add(at);
    for (const [key, part] of Object.entries(at)) {
      bytes += key.length * 2;
      stack.push(part);
    }
  }
  return bytes;
}
