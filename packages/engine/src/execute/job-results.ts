import type { Arena } from '../arena.ts';
import { MAX_JOB_TEXT_LENGTH } from '../bounded-text.ts';
import type { Result } from '../cache/result-cache.ts';
import type { DynamicGraph } from './dynamic-graph.ts';
import { jobTextTooLong } from './result-meter.ts';

export type JobResults = ReturnType<typeof createJobResults>;

/**
 * The results that a job still needs. A result is released as soon as no node can read it any more, so that a long chain
 * holds two pictures and not all of them. The cache may keep it longer.
 */
export function createJobResults(arena: Arena, graph: DynamicGraph) {
  const results = new Map<string, Result>();
  /** The number of unfinished nodes that link to each node, needed or not. */
  const readers = new Map<string, number>();
  const expected = new Set<string>();
  const reading = new Set<string>();
  const further = new Map<string, readonly string[]>();
  const done = new Set<string>();
  let textRoom = MAX_JOB_TEXT_LENGTH;

  function set(id: string, result: Result): void {
    if (result.textLength > textRoom) throw jobTextTooLong();
    textRoom -= result.textLength;
    arena.retain(result.buffers);
    drop(id);
    results.set(id, result);
  }

  function drop(id: string): void {
    const result = results.get(id);
    if (!result) return;
    results.delete(id);
    textRoom += result.textLength;
    arena.release(result.buffers);
  }

  return {
    get: (id: string) => results.get(id),
    set,
    /** Adds nodes that may run and read results. Nodes with a cached result are held and do not run. */
    expect(ids: Iterable<string>, cached: (id: string) => Result | undefined): void {
      const stack = [...ids];
      for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
        if (expected.has(id) || !graph.has(id)) continue;
        expected.add(id);
        const known = cached(id);
        if (known) {
          // Held from now on, because the cache may evict it before it is read.
          set(id, known);
          continue;
        }
        reading.add(id);
        for (const { from } of graph.links(id)) {
          readers.set(from, (readers.get(from) ?? 0) + 1);
          stack.push(from);
        }
      }
    },
    /** The node also reads these nodes, which it expanded into. */
    alsoReads(id: string, from: Iterable<string>): void {
      const ids = [...from];
      further.set(id, ids);
      for (const read of ids) readers.set(read, (readers.get(read) ?? 0) + 1);
    },
    /** The node has finished reading. */
    finished(id: string): void {
      // A node that was known from the start was never counted as a reader.
      if (done.has(id) || !reading.has(id)) return;
      done.add(id);
      for (const from of [...graph.links(id).map((link) => link.from), ...(further.get(id) ?? [])]) {
        const left = (readers.get(from) ?? 1) - 1;
        readers.set(from, left);
        if (left === 0) drop(from);
      }
      if ((readers.get(id) ?? 0) === 0) drop(id);
    },
    ids: () => [...results.keys()],
    /** The length that further texts may have. */
    textRoom: () => textRoom,
    close(): void {
      for (const id of results.keys()) drop(id);
    },
  };
}
