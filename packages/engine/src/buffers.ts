const DEPTH = 8;

/** The buffers inside a value that a node made: pictures are objects with typed arrays in them. */
export function buffersOf(value: unknown, found: Set<ArrayBuffer> = new Set(), depth = 0): Set<ArrayBuffer> {
  if (typeof value !== 'object' || value === null || depth > DEPTH) return found;
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (value instanceof ArrayBuffer) {
    found.add(value);
  } else {
    for (const part of Object.values(value)) buffersOf(part, found, depth + 1);
  }
  return found;
}
