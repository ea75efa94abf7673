import { hash as hashOf } from 'node:crypto';
import { catalogueOf, DescriptionError, eachNodeDescription, type NodeCatalogue } from '@atelier/engine';

import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { inSlices } from '../../../platform/in-slices.ts';
import type { EngineKind } from '../matching/job-needs.ts';
import { BadMessage } from '../read-message.ts';
import * as repo from './node-types.repo.ts';

/** Takes about 7 ms to read. */
const BATCH_SIZE = 100;
/** How long a set that no worker offers stays in memory. */
const UNUSED_MS = 600_000;
/** Only types of a ComfyUI have this member. */
const FOREIGN = '"foreign":{';

/** Node types as workers describe them. Their code is never loaded into this process. */
export interface TypeSet {
  readonly catalogue: NodeCatalogue;
  /** The texts it was read from, for a thread. */
  readonly descriptions: readonly string[];
}

export type TypeSets = ReturnType<typeof createTypeSets>;

/** Sets of node types by hash. Those in the database are read when needed. */
export function createTypeSets({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const sets = new Map<string, TypeSet & { readonly readAt: number }>();
  /** Many workers may bring the same set at once. */
  const finding = new Map<string, Promise<TypeSet | undefined>>();

  async function keep(hash: string, description: string): Promise<TypeSet> {
    const nodes = eachNodeDescription(description);
    const entries: Parameters<typeof catalogueOf>[0][number][] = [];
    await inSlices(async () => {
      for (let count = 0; count < BATCH_SIZE; count += 1) {
        const next = nodes.next();
        if (next.done) return false;
        entries.push(next.value);
      }
      return true;
    });
    const set = { catalogue: catalogueOf(entries), descriptions: [description], readAt: clock() };
    sets.set(hash, set);
    return set;
  }

  async function load(hash: string): Promise<TypeSet | undefined> {
    const body = await repo.findNodeTypes(db, hash);
    return body === undefined ? undefined : await keep(hash, body);
  }

  async function find(hash: string): Promise<TypeSet | undefined> {
    return (
      sets.get(hash) ??
      (await finding.getOrInsertComputed(
        hash,
        async () => await load(hash).finally(() => finding.delete(hash)),
      ))
    );
  }

  return {
    get: (hash: string): TypeSet | undefined => sets.get(hash),
    find,
    /** Whether the set is in memory or in the database. */
    async knows(hash: string): Promise<boolean> {
      if (!(await find(hash))) return false;
      await repo.noteUse(db, hash, clock());
      return true;
    },
    /** Adds the description that a worker sent. Throws `BadMessage` when it is invalid or has another hash. */
    async learn(hash: string, body: string): Promise<void> {
      if (hashOf('sha256', body) !== hash)
        throw new BadMessage('The node types do not have the hash that was offered.');
      try {
        await keep(hash, body);
      } catch (error) {
        throw error instanceof DescriptionError ? new BadMessage(error.message) : error;
      }
      await repo.putNodeTypes(db, { hash, body, last_used_at: clock() });
    },
    /** The sets that were offered last, on any server. */
    async *last(limit: number): AsyncGenerator<{ readonly hash: string; readonly kind: EngineKind }> {
      for (const hash of await repo.listLastHashes(db, limit)) {
        const body = sets.get(hash)?.descriptions[0] ?? (await repo.findNodeTypes(db, hash)) ?? '';
        yield { hash, kind: body.split('\n', 1)[0]?.includes(FOREIGN) ? 'comfyui' : 'built-in' };
      }
    },
    forgetUnused(used: ReadonlySet<string>): void {
      for (const [hash, { readAt }] of sets) {
        if (!used.has(hash) && clock() - readAt > UNUSED_MS) sets.delete(hash);
      }
    },
  };
}
