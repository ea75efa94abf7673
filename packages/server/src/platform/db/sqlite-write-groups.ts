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

/**
 * Writes go one after another. Transactions of one turn of the event loop are parts of one commit: each still succeeds or fails by
 * itself, and each is told of its success only after the commit. A commit writes every changed page, and transactions in a row mostly
 * change the same ones.
 */
export function createWriteGroups(writer: Writer, onCommit: () => void = () => {}): WriteGroups {
  const writing = createMutex();
  let open: Group | undefined;

  /** Some failures, such as a full disk, end the whole transaction: then every part of it has failed. */
  function fail(group: Group, error: unknown): void {
    if (open === group) open = undefined;
    clearImmediate(group.timer);
    group.committed.reject(error);
    try {
      writer.run(ROLLBACK);
    } catch {
      // Some failures end the transaction by themselves.
    }
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

  return {
    isOpen: () => open !== undefined,
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
