import type { Arena } from '../arena.ts';
import { buffersOf } from '../buffers.ts';
import type { UiOutput } from '../declare/node-type.ts';

/** What a node gave: a list of values for each slot, and what it shows. */
export interface Result {
  readonly slots: readonly (readonly unknown[])[];
  readonly ui: ShownOutput | undefined;
  /** What the nodes it expanded into showed, by their ids without that of this node. */
  readonly inner: ReadonlyMap<string, ShownOutput['output']>;
  readonly buffers: ReadonlySet<ArrayBuffer>;
}

/** What an output node shows, with the place it belongs to. */
export interface ShownOutput {
  readonly output: UiOutput;
  readonly meta: {
    readonly node_id: string;
    readonly display_node: string;
    readonly parent_node: string | null;
    readonly real_node_id: string;
  };
}

/** Results of earlier jobs, the least recently used going first when there are too many bytes. */
export interface ResultCache {
  get(key: string): Result | undefined;
  set(key: string, result: Result): void;
  delete(key: string): void;
  clear(): void;
  bytes(): number;
}

const MAX_ENTRIES = 10_000;
/** What an entry without pictures may be taken for: names, numbers, a few links. */
const ENTRY_BYTES = 1024;

export function createResultCache(
  arena: Arena,
  { limitBytes }: { readonly limitBytes: number },
): ResultCache {
  const entries = new Map<string, Result>();
  const holders = new Map<ArrayBuffer, number>();
  let bytes = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    bytes -= sizeWithoutBuffers(entry);
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
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },
    set(key, result) {
      remove(key);
      entries.set(key, result);
      bytes += sizeWithoutBuffers(result);
      arena.retain(result.buffers);
      for (const buffer of result.buffers) {
        const before = holders.get(buffer) ?? 0;
        if (before === 0) bytes += buffer.byteLength;
        holders.set(buffer, before + 1);
      }
      while (isFull() && removeOldest());
    },
    delete: remove,
    clear() {
      while (removeOldest());
    },
    bytes: () => bytes,
  };
}

export function toResult(
  slots: Result['slots'],
  { ui, inner = new Map() }: { readonly ui?: ShownOutput | undefined; readonly inner?: Result['inner'] } = {},
): Result {
  return { slots, ui, inner, buffers: buffersOf(slots) };
}

function sizeWithoutBuffers({ slots, ui, inner }: Result): number {
  let size = ENTRY_BYTES * (1 + (ui ? 1 : 0) + inner.size);
  for (const slot of slots) {
    for (const value of slot) if (typeof value === 'string') size += value.length * 2;
  }
  return size;
}
