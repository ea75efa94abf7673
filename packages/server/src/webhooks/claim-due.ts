import type { Clock } from '../platform/clock.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import * as repo from './deliveries.repo.ts';
import { listPaused, lockPaused } from './endpoints.repo.ts';

/** How many tries of one server run at once, in all and to whom. */
export interface Places {
  readonly inAll: number;
  readonly perHost: number;
  /** So that one account with many slow hosts leaves room for the others. */
  readonly perAccount: number;
}

export interface Busy {
  readonly host: string;
  readonly userId: string;
}

export interface ClaimedDelivery extends repo.DeliveryRow {
  readonly lease: string;
  readonly leaseUntil: number;
  /** The try before this one never ended: its server has died. */
  readonly hadLostTry: boolean;
}

interface Options {
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly places: Places;
  /** For each try under way, where it goes and whose it is. */
  readonly busy: Iterable<Busy>;
  /** Kept from one claim to the next: until when there is no search past those whose places are taken. */
  readonly search: { pausedUntil: number };
}

/** The search past a long line of a busy host may take so much of the time that goes by: one part in ten. */
const PAUSE_PER_SEARCH = 10;
const MAX_ROUNDS = 10;
const PUT_OFF_MS = 60_000;

/** Takes as many due deliveries as there are places for, each under a lease that covers one try. */
export async function claimDue(db: Db, options: Options): Promise<ClaimedDelivery[]> {
  for (;;) {
    const claimed = await claim(db, options);
    const sendable = await withoutPaused(db, claimed);
    // Those that were held leave places to others.
    if (sendable.length > 0 || claimed.length === 0) return sendable;
  }
}

async function claim(db: Db, options: Options): Promise<ClaimedDelivery[]> {
  const now = options.clock();
  const lease = newId();
  const leaseUntil = now + options.leaseMs;
  return await withTransaction(db, async (tx) => {
    const picked = await pick(tx, now, options);
    if (picked.size === 0) return [];
    const rows = await repo.leaseDeliveries(tx, [...picked.keys()], { lease, leaseUntil });
    const claimed = rows.map((row) => {
      const hadLostTry = picked.get(row.seq)?.lease != null;
      return { ...row, lease, leaseUntil, hadLostTry };
    });
    return claimed.toSorted((left, right) => left.seq - right.seq);
  });
}

/** The first that are due and may be sent, passing over hosts and accounts whose places are all taken. */
async function pick(tx: Db, now: number, { places, busy, search }: Options) {
  const slots = createSlotCounts(places, busy);
  const picked = new Map<number, repo.DueDelivery>();
  for (let round = 0; round < MAX_ROUNDS && slots.free() > 0; round += 1) {
    const { hosts: exceptHosts, users: exceptUsers, pairs: exceptPairs } = slots.full();
    const isSearch = exceptHosts.length + exceptUsers.length + exceptPairs.length > 0;
    const started = performance.now();
    if (isSearch && started < search.pausedUntil) break;
    const limit = picked.size + slots.free();
    const due = await repo.listDue(tx, { now, limit, exceptHosts, exceptUsers, exceptPairs });
    const fresh = due.filter(({ seq }) => !picked.has(seq));
    const { first, behind } = await inOrder(tx, fresh);
    if (behind.length > 0) await repo.putOff(tx, behind, now + PUT_OFF_MS);
    for (const each of first) {
      if (slots.take({ host: each.host, userId: each.user_id })) picked.set(each.seq, each);
    }
    if (due.length < limit) {
      const ended = performance.now();
      if (isSearch) search.pausedUntil = ended + PAUSE_PER_SEARCH * (ended - started);
      break;
    }
  }
  return picked;
}

/**
 * Tells those that stand first in their subject, or outside of its order, from those that must wait. What is behind a delivery that is
 * ending on another server is neither: that server may have brought its followers forward before this one was written, so nobody would
 * come back for it. It stays due.
 */
async function inOrder(tx: Db, due: readonly repo.DueDelivery[]) {
  const subjects = new Set(due.filter((each) => each.in_order === 1).map((each) => each.subject));
  const firsts = subjects.size === 0 ? [] : await repo.listFirstOf(tx, [...subjects]);
  const lineOf = (each: Pick<repo.DueDelivery, 'user_id' | 'subject'>) => `${each.user_id} ${each.subject}`;
  const firstOf = new Map(firsts.map((each) => [lineOf(each), each.seq]));
  const first: repo.DueDelivery[] = [];
  const behind = new Map<number, number>();
  for (const each of due) {
    const ahead = firstOf.get(lineOf(each));
    if (each.in_order === 0 || ahead === each.seq) first.push(each);
    else if (ahead !== undefined) behind.set(each.seq, ahead);
  }
  const held = new Set(behind.size === 0 ? [] : await repo.holdPending(tx, [...new Set(behind.values())]));
  return { first, behind: [...behind].flatMap(([seq, ahead]) => (held.has(ahead) ? [seq] : [])) };
}

function createSlotCounts(places: Places, busy: Iterable<Busy>) {
  const byHost = new Map<string, number>();
  const byUser = new Map<string, number>();
  const byPair = new Map<string, Busy & { readonly count: number }>();
  // Many accounts may have the same host; one whose addresses there hang leaves some of its places to the others.
  const perPair = Math.ceil((places.perHost * 3) / 4);
  let used = 0;
  const pairOf = ({ host, userId }: Busy): string => `${userId} ${host}`;
  const ofPair = (target: Busy): number => byPair.get(pairOf(target))?.count ?? 0;
  const occupy = ({ host, userId }: Busy): void => {
    used += 1;
    byHost.set(host, (byHost.get(host) ?? 0) + 1);
    byUser.set(userId, (byUser.get(userId) ?? 0) + 1);
    byPair.set(pairOf({ host, userId }), { host, userId, count: ofPair({ host, userId }) + 1 });
  };
  for (const each of busy) occupy(each);
  return {
    free: () => places.inAll - used,
    full: () => ({
      hosts: full(byHost, places.perHost),
      users: full(byUser, places.perAccount),
      pairs: [...byPair.values()].filter(({ count }) => count >= perPair),
    }),
    take(target: Busy): boolean {
      const isFree =
        used < places.inAll &&
        (byHost.get(target.host) ?? 0) < places.perHost &&
        ofPair(target) < perPair &&
        (byUser.get(target.userId) ?? 0) < places.perAccount;
      if (isFree) occupy(target);
      return isFree;
    },
  };
}

function full(counts: ReadonlyMap<string, number>, most: number): string[] {
  return [...counts].filter(([, count]) => count >= most).map(([name]) => name);
}

async function withoutPaused(db: Db, claimed: readonly ClaimedDelivery[]): Promise<ClaimedDelivery[]> {
  const lease = claimed[0]?.lease;
  if (lease === undefined) return [];
  const paused = await listPaused(db, [...new Set(claimed.map((each) => each.endpoint_id))]);
  if (paused.length === 0) return [...claimed];
  const held = new Set(
    await withTransaction(db, async (tx) => {
      const locked = await lockPaused(tx, paused.toSorted());
      if (locked.length > 0) await repo.pauseDeliveries(tx, locked, lease);
      return locked;
    }),
  );
  return claimed.filter((each) => !held.has(each.endpoint_id));
}
