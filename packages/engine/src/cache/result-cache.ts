import type { Arena } from '../arena.ts';
import { buffersOf, bytesBesidesBuffers } from '../buffers.ts';
import type { UiOutput } from '../declare/node-type.ts';

/** The result of a node: a list of values for each slot, and its output. */
export interface Result {
  readonly slots: readonly (readonly unknown[])[];
  readonly ui: ShownOutput | undefined;
  /** The outputs of the nodes it expanded into, by their ids. */
  readonly inner: ReadonlyMap<string, ShownOutput>;
  /** In another graph, the node may have another id. */
  readonly nodeId: string;
  readonly buffers: ReadonlySet<ArrayBuffer>;
  /** The length of all its texts. */
  readonly textLength: number;
}

export interface ShownOutput {
  readonly output: UiOutput;
  readonly meta: {
    readonly node_id: string;
    readonly display_node: string;
    readonly parent_node: string | null;
    readonly real_node_id: string;
  };
}

export type ResultCache = ReturnType<typeof createResultCache>;

const MAX_ENTRIES = 50_000;
/** An estimate for the key, sets and map entries of a result. */
const ENTRY_BYTES = 1024;

/** Results of earlier jobs. The least recently used ones are evicted first. */
export function createResultCache(arena: Arena, { limitBytes }: { readonly limitBytes: number }) {
  const entries = new Map<string, Result>();
  const holders = new Map<ArrayBuffer, number>();
  const sizes = new WeakMap<Result, number>();
  let bytes = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    bytes -= sizes.get(entry) ?? 0;
    for (const buffer of entry.buffers) {
      const left = (holders.get(buffer) ?? 1) - 1;
      if (left > 0) {
        holders.set(buffer, left);
        continue;
      }
      holders.delete(buffer);
      bytes -= buffer.byteLength;
    }
    arena.release(entry.buffers);
  }

  function removeOldest(): boolean {
    const [oldest] = entries.keys();
    if (oldest === undefined) return false;
    remove(oldest);
    return true;
  }

  const isFull = (): boolean => bytes > limitBytes || entries.size > MAX_ENTRIES;

  arena.onPressure(removeOldest);

  return {
    get(key: string): Result | undefined {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },
    set(key: string, result: Result): void {
      remove(key);
      const size = ENTRY_BYTES + bytesBesidesBuffers([result.slots, result.ui, [...result.inner]]);
      if (size > limitBytes) return;
      entries.set(key, result);
      sizes.set(result, size);
      bytes += size;
      arena.retain(result.buffers);
      for (const buffer of result.buffers) {
        const before = holders.get(buffer) ?? 0;
        if (before === 0) bytes += buffer.byteLength;
        holders.set(buffer, before + 1);
      }
      while (isFull() && removeOldest());
    },
    delete: remove,
    clear(): void {
      while (removeOldest());
    },
    bytes: () => bytes,
  };
}

export function toResult(
  slots: Result['slots'],
  { nodeId = '', ui, inner = new Map() }: Partial<Pick<Result, 'nodeId' | 'ui' | 'inner'>> = {},
): Result {
  return { slots, ui, inner, nodeId, buffers: buffersOf(slots), textLength: textLengthOf(slots) };
}

function textLengthOf(slots: Result['slots']): number {
  let length = 0;
  for (const items of slots) for (const item of items) if (typeof item === 'string') length += item.length;
  return length;
}
