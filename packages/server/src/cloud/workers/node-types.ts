import { hash as hashOf } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  catalogueOf,
  DescriptionError,
  eachNodeDescription,
  mergeCatalogues,
  type NodeCatalogue,
} from '@atelier/engine';

import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { inSlices } from '../../platform/in-slices.ts';
import * as repo from './node-types.repo.ts';
import { BadMessage } from './read-message.ts';

/** How long a request waits for the first worker: a pack may take 30 seconds to load. */
const WAIT_MS = 30_000;
const LOOK_MS = 50;
const RETRY_SECONDS = 5;
/** Some 7 ms of reading. */
const READ_AT_ONCE = 100;
const FORGET_MS = 30 * 24 * 3_600_000;

/** Node types as workers describe them. None of their code is in this process. */
export interface NodeTypes {
  readonly catalogue: NodeCatalogue;
  /** What it was read from, for a thread. */
  readonly descriptions: readonly string[];
}

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  /** The hashes that workers of this server offer now. */
  readonly offered: () => readonly string[];
  /** Workers that have not loaded their node types do so. */
  readonly askFor: () => void;
  readonly waitMs?: number;
}

/** The node types of all workers together. When none is connected, those that were offered last: jobs wait for the next worker. */
export function createNodeTypes({ db, clock, offered, askFor, waitMs = WAIT_MS }: Parts) {
  const sets = new Map<string, NodeTypes>();
  /** Many workers may come at once with the same set. */
  const finding = new Map<string, Promise<NodeTypes | undefined>>();
  /** How many wait for node types. */
  let waiting = 0;
  let current: (NodeTypes & { readonly key: string }) | undefined;

  async function keep(hash: string, description: string): Promise<NodeTypes> {
    const nodes = eachNodeDescription(description);
    const entries: Parameters<typeof catalogueOf>[0][number][] = [];
    await inSlices(async () => {
      for (let count = 0; count < READ_AT_ONCE; count += 1) {
        const next = nodes.next();
        if (next.done) return false;
        entries.push(next.value);
      }
      return true;
    });
    const set = { catalogue: catalogueOf(entries), descriptions: [description] };
    sets.set(hash, set);
    return set;
  }

  async function find(hash: string): Promise<NodeTypes | undefined> {
    const known = sets.get(hash) ?? finding.get(hash);
    if (known) return await known;
    const found = load(hash).finally(() => finding.delete(hash));
    finding.set(hash, found);
    return await found;
  }

  async function load(hash: string): Promise<NodeTypes | undefined> {
    const body = await repo.findNodeTypes(db, hash);
    return body === undefined ? undefined : await keep(hash, body);
  }

  function together(hashes: readonly string[]): NodeTypes | undefined {
    const key = hashes.join(' ');
    if (current?.key === key) return current;
    const known = hashes.flatMap((hash) => sets.get(hash) ?? []);
    const [first] = known;
    if (!first) return undefined;
    if (known.length === 1) current = { ...first, key };
    else {
      const catalogue = mergeCatalogues(known.map((set) => set.catalogue));
      current = { catalogue, descriptions: known.flatMap((set) => set.descriptions), key };
    }
    return current;
  }

  async function look(): Promise<NodeTypes | undefined> {
    const hashes = [...new Set(offered())].filter((hash) => sets.has(hash)).toSorted();
    if (hashes.length > 0) return together(hashes);
    if (current) return current;
    const last = await repo.findLastHash(db);
    return last === undefined || !(await find(last)) ? undefined : together([last]);
  }

  return {
    has: (hash: string, nodeType: string): boolean => sets.get(hash)?.catalogue.get(nodeType) !== undefined,
    isWanted: () => waiting > 0,
    /** Whether the set is known, here or in the database. */
    async knows(hash: string): Promise<boolean> {
      if (!(await find(hash))) return false;
      await repo.noteUse(db, hash, clock());
      return true;
    },
    /** Takes a description of a worker. Throws `BadMessage` when it is not what its hash says, or not one at all. */
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
    /** Refuses with 503 while there are none. */
    async get(): Promise<NodeTypes> {
      askFor();
      const deadline = performance.now() + waitMs;
      waiting += 1;
      try {
        do {
          const found = await look();
          if (found) return found;
          await delay(LOOK_MS);
        } while (performance.now() < deadline);
      } finally {
        waiting -= 1;
      }
      throw new AppError(
        'cloud.node_types_loading',
        `No worker has said yet what it can run. Try again in ${RETRY_SECONDS} seconds.`,
        { retryAfterSeconds: RETRY_SECONDS },
      );
    },
    async tidy(): Promise<void> {
      await repo.forgetNodeTypes(db, clock() - FORGET_MS);
    },
  };
}
