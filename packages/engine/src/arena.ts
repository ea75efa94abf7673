import type { Memory } from './memory.ts';
import { Interrupted, NodeError } from './node-error.ts';

export interface ArenaOptions {
  /** For all arrays in use. */
  readonly limitBytes: number;
  /** For buffers that are kept for the next array of the same size. */
  readonly spareBytes: number;
}

export type Arena = ReturnType<typeof createArena>;

/**
 * Counts the arrays of a runner and reuses their buffers. A buffer is in use while the call that made it runs, and while the
 * results of the job or the cache retain it. Only buffers that came from here are reused.
 */
export function createArena({ limitBytes, spareBytes }: ArenaOptions) {
  const owned = new Map<ArrayBuffer, { holders: number }>();
  const spares = new Map<number, ArrayBuffer[]>();
  let used = 0;
  let spared = 0;
  let makeRoom: () => boolean = () => false;

  function take(bytes: number, zeroed: boolean): ArrayBuffer {
    const fits = (): boolean => used + bytes <= limitBytes;
    while (!fits() && makeRoom());
    if (!fits()) throw outOfMemory(bytes, limitBytes);
    const buffer = takeSpare(bytes, zeroed) ?? allocate(bytes, limitBytes);
    used += bytes;
    owned.set(buffer, { holders: 1 });
    return buffer;
  }

  function takeSpare(bytes: number, zeroed: boolean): ArrayBuffer | undefined {
    const spare = spares.get(bytes)?.pop();
    if (!spare) return undefined;
    spared -= bytes;
    if (zeroed) new Uint8Array(spare).fill(0);
    return spare;
  }

  function letGo(buffer: ArrayBuffer, { reuse }: { readonly reuse: boolean }): void {
    owned.delete(buffer);
    used -= buffer.byteLength;
    if (!reuse || buffer.byteLength > spareBytes) return;
    // The oldest sizes go first: a job that moves on to smaller pictures does not need the large ones.
    for (const [size, list] of spares) {
      if (spared + buffer.byteLength <= spareBytes) break;
      if (size === buffer.byteLength) continue;
      spared -= size * list.length;
      spares.delete(size);
    }
    if (spared + buffer.byteLength > spareBytes) return;
    spared += buffer.byteLength;
    const list = spares.get(buffer.byteLength);
    if (list) list.push(buffer);
    else spares.set(buffer.byteLength, [buffer]);
  }

  function release(buffer: ArrayBuffer): void {
    const entry = owned.get(buffer);
    if (!entry) return;
    entry.holders -= 1;
    if (entry.holders === 0) letGo(buffer, { reuse: true });
  }

  return {
    /** The memory for one call of a node. `end` says which of its buffers live on in the result. */
    lend(): { readonly memory: Memory; end(kept: ReadonlySet<ArrayBuffer>): void } {
      const lent = new Set<ArrayBuffer>();
      let over = false;
      const lendOut = (bytes: number, zeroed: boolean): ArrayBuffer => {
        // Work that goes on after the end of its job gets nothing.
        if (over) throw new Interrupted();
        const buffer = take(bytes, zeroed);
        lent.add(buffer);
        return buffer;
      };
      return {
        memory: {
          floats: (length) => new Float32Array(lendOut(checked(length) * 4, true)),
          dirtyFloats: (length) => new Float32Array(lendOut(checked(length) * 4, false)),
          dirtyBytes: (length) => new Uint8Array(lendOut(checked(length), false)),
          free(array) {
            if (lent.delete(array.buffer)) release(array.buffer);
          },
        },
        end(kept) {
          over = true;
          for (const buffer of lent) {
            if (kept.has(buffer)) release(buffer);
            // The node may still see scratch that it did not free, so the garbage collector decides.
            else if (owned.has(buffer)) letGo(buffer, { reuse: false });
          }
          lent.clear();
        },
      };
    },
    retain(buffers: Iterable<ArrayBuffer>): void {
      for (const buffer of buffers) {
        const entry = owned.get(buffer);
        if (entry) entry.holders += 1;
      }
    },
    release(buffers: Iterable<ArrayBuffer>): void {
      for (const buffer of buffers) release(buffer);
    },
    /** Stops counting buffers that code outside may keep. They are not reused. */
    disown(buffers: Iterable<ArrayBuffer>): void {
      for (const buffer of buffers) if (owned.has(buffer)) letGo(buffer, { reuse: false });
    },
    /** Before an allocation is refused, `ask` is called until it cannot free anything more. */
    onPressure(ask: () => boolean): void {
      makeRoom = ask;
    },
    usedBytes: () => used,
  };
}

function allocate(bytes: number, limitBytes: number): ArrayBuffer {
  try {
    return new ArrayBuffer(bytes);
  } catch {
    throw outOfMemory(bytes, limitBytes);
  }
}

function checked(length: number): number {
  if (Number.isSafeInteger(length) && length >= 0) return length;
  throw new NodeError('ValueError', `An array cannot have ${length} elements.`);
}

function outOfMemory(bytes: number, limitBytes: number): NodeError {
  const mb = (count: number): string => `${Math.ceil(count / 2 ** 20)} MB`;
  return new NodeError(
    'OOMError',
    `The job needs ${mb(bytes)} more and would exceed its memory limit of ${mb(limitBytes)}. Use smaller pictures or smaller batches.`,
  );
}
