import { CompiledQuery } from 'kysely';

import { createMutex, type Release } from '../mutex.ts';

/** What runs statements on the one connection that writes. */
interface Writer {
  run(query: CompiledQuery): unknown;
}

/** A transaction that is open; nobody else writes meanwhile. */
export interface OpenTransaction {
  /** Resolves once it is committed, perhaps together with others. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export interface WriteGroups {
  begin(): Promise<OpenTransaction>;
  /** A single write, committed by itself. */
  alone<T>(work: () => T): Promise<T>;
  /**
   * Several writes at once, undone when `work` throws. Those of one turn of the event loop are one commit. When one of them throws, each is
   * run again by itself, so nobody fails for somebody else; in return none needs a savepoint, for which SQLite copies every page it changes.
   */
  together<T>(work: () => T): Promise<T>;
  /** Whether something is written that is not committed yet. */
  isOpen(): boolean;
  /** Keeps everybody from writing until `work` has ended. */
  hold(work: () => Promise<void>): Promise<void>;
}

/** So many transactions share a commit at most: none waits long for the others. */
const MAX_GROUP_SIZE = 32;

const BEGIN = CompiledQuery.raw('begin immediate');
const COMMIT = CompiledQuery.raw('commit');
const ROLLBACK = CompiledQuery.raw('rollback');
const SAVEPOINT = CompiledQuery.raw('savepoint part');
const RELEASE = CompiledQuery.raw('release part');
const UNDO = CompiledQuery.raw('rollback to part');

interface Group {
  size: number;
  /** Commits it at the end of this turn of the event loop. */
  timer: NodeJS.Immediate | undefined;
  readonly committed: PromiseWithResolvers<void>;
}

/** Work that waits for nothing. Run again, it does the same. */
interface Part {
  run(): void;
  resolve(): void;
  reject(error: unknown): void;
}

function toPart<T>(work: () => T): { readonly part: Part; readonly done: Promise<T> } {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let result: T;
  const part: Part = {
    run() {
      result = work();
    },
    resolve: () => resolve(result),
    reject,
  };
  return { part, done: promise };
}

/**
 * Writes go one after another. Transactions of one turn of the event loop are parts of one commit: each still succeeds or fails by
 * itself, and each is told of its success only after the commit. A commit writes every changed page, and transactions in a row mostly
 * change the same ones.
 */
export function createWriteGroups(writer: Writer, onCommit: () => void = () => {}): WriteGroups {
  const writing = createMutex();
  let open: Group | undefined;
  let parts: Part[] = [];

  /** Some failures end the transaction by themselves; then there is nothing left to roll back. */
  function undo(): void {
    try {
      writer.run(ROLLBACK);
    } catch {}
  }

  /** Some failures, such as a full disk, end the whole transaction: then every part of it has failed. */
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
      // Immediate: the write lock is taken now, so a transaction never fails half way for want of it.
      writer.run(BEGIN);
      open = { size: 0, timer: undefined, committed: Promise.withResolvers() };
      // A part that was undone does not wait for the others.
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

  /** Ends a part. Whoever comes in the same turn of the event loop may join the group before it is committed. */
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

  async function runAll(): Promise<void> {
    const release = await writing.acquire();
    try {
      const all = parts;
      parts = [];
      if (open) commit(open);
      for (let from = 0; from < all.length; from += MAX_GROUP_SIZE)
        runParts(all.slice(from, from + MAX_GROUP_SIZE));
    } finally {
      release();
    }
  }

  return {
    isOpen: () => open !== undefined,
    async together(work) {
      if (parts.length === 0) setImmediate(() => void runAll());
      const { part, done } = toPart(work);
      parts.push(part);
      return await done;
    },
    async begin() {
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
    async alone(work) {
      const release = await writing.acquire();
      try {
        if (open) commit(open);
        const result = work();
        onCommit();
        return result;
      } finally {
        release();
      }
    },
    async hold(work) {
      const release = await writing.acquire();
      try {
        if (open) commit(open);
        await work();
      } finally {
        release();
      }
    },
  };
}
