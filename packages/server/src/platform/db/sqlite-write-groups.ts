import { CompiledQuery } from 'kysely';

import { createSemaphore, type Release } from '../semaphore.ts';

/** Runs statements on the only connection that writes. */
interface Writer {
  run(query: CompiledQuery): unknown;
}

/** An open transaction, which is the only writer. */
export interface OpenTransaction {
  /** Resolves once it is committed, perhaps together with others. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** Limits how long a transaction waits for others before the commit. */
const MAX_GROUP_SIZE = 32;

const BEGIN = CompiledQuery.raw('begin immediate');
const COMMIT = CompiledQuery.raw('commit');
const ROLLBACK = CompiledQuery.raw('rollback');
const SAVEPOINT = CompiledQuery.raw('savepoint part');
const RELEASE = CompiledQuery.raw('release part');
const UNDO = CompiledQuery.raw('rollback to part');

interface Group {
  size: number;
  /** Commits at the end of this turn of the event loop. */
  timer: NodeJS.Immediate | undefined;
  readonly committed: PromiseWithResolvers<void>;
}

/** Synchronous work that may run again. */
interface Part {
  run(): void;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Serializes writes. Transactions of one turn of the event loop share a commit, because a commit writes every changed page and
 * consecutive transactions mostly change the same ones. Each still succeeds or fails by itself, and resolves after the commit.
 */
export function createWriteGroups(writer: Writer, onCommit: () => void = () => {}) {
  const writing = createSemaphore(1);
  let open: Group | undefined;
  let parts: Part[] = [];

  /** Some failures have rolled back already. */
  function undo(): void {
    try {
      writer.run(ROLLBACK);
    } catch {}
  }

  /** Some failures, such as a full disk, roll back the whole group. */
  function fail(group: Group, error: unknown): void {
    if (open === group) open = undefined;
    clearImmediate(group.timer);
    group.committed.reject(error);
    undo();
  }

  function commit(group: Group): void {
    clearImmediate(group.timer);
    try {
      writer.run(COMMIT);
      open = undefined;
      group.committed.resolve();
      onCommit();
    } catch (error) {
      fail(group, error);
    }
  }

  function join(): Group {
    if (!open) {
      // Takes the write lock now, so that a transaction cannot fail for it half way.
      writer.run(BEGIN);
      open = { size: 0, timer: undefined, committed: Promise.withResolvers() };
      // A part that was rolled back does not wait for the commit.
      open.committed.promise.catch(() => {});
    }
    open.size += 1;
    writer.run(SAVEPOINT);
    return open;
  }

  async function commitSoon(group: Group): Promise<void> {
    const release = await writing.acquire();
    if (open === group) commit(group);
    release();
  }

  /** Ends a part. Others may join the group in this turn of the event loop, before it is committed. */
  function leave(group: Group, release: Release, statements: readonly CompiledQuery[]): void {
    try {
      for (const statement of statements) writer.run(statement);
      if (group.size >= MAX_GROUP_SIZE) commit(group);
      else group.timer ??= setImmediate(() => void commitSoon(group));
    } catch (error) {
      fail(group, error);
    } finally {
      release();
    }
  }

  function runParts(some: readonly Part[]): void {
    let failed: Part | undefined;
    try {
      writer.run(BEGIN);
      for (const part of some) {
        failed = part;
        part.run();
      }
      failed = undefined;
      writer.run(COMMIT);
    } catch (error) {
      undo();
      if (failed && some.length > 1) for (const part of some) runParts([part]);
      else for (const part of some) part.reject(error);
      return;
    }
    for (const part of some) part.resolve();
    onCommit();
  }

  /** Nobody else writes until `work` has ended. */
  async function hold<T>(work: () => T | Promise<T>): Promise<T> {
    const release = await writing.acquire();
    try {
      if (open) commit(open);
      return await work();
    } finally {
      release();
    }
  }

  function runAll(): void {
    const all = parts;
    parts = [];
    for (let from = 0; from < all.length; from += MAX_GROUP_SIZE)
      runParts(all.slice(from, from + MAX_GROUP_SIZE));
  }

  return {
    hold,
    /** Whether there are uncommitted writes. */
    isOpen: () => open !== undefined,
    async begin(): Promise<OpenTransaction> {
      const release = await writing.acquire();
      try {
        const group = join();
        return {
          async commit() {
            leave(group, release, [RELEASE]);
            await group.committed.promise;
          },
          async rollback() {
            leave(group, release, [UNDO, RELEASE]);
          },
        };
      } catch (error) {
        if (open) fail(open, error);
        release();
        throw error;
      }
    },
    /** A single write with its own commit. */
    alone: async <T>(work: () => T): Promise<T> =>
      await hold(() => {
        const result = work();
        onCommit();
        return result;
      }),
    /**
     * Synchronous writes, rolled back when `work` throws. Those of one turn of the event loop share a commit. When one throws, each
     * runs again by itself. So none needs a savepoint, for which SQLite copies every changed page.
     */
    async together<T>(work: () => T): Promise<T> {
      if (parts.length === 0) setImmediate(() => void hold(runAll));
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      let result: T;
      const run = (): void => {
        result = work();
      };
      parts.push({ run, resolve: () => resolve(result), reject });
      return await promise;
    },
  };
}
