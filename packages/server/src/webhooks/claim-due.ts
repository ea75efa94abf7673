import type { Clock } from '../platform/clock.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import * as repo from './deliveries.repo.ts';
import { listPaused, lockPaused } from './endpoints.repo.ts';

/** How many tries one server makes at once. */
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
  /** The server of the last try died during it. */
  readonly hadLostTry: boolean;
}

interface Options {
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly places: Places;
  /** One for each try under way. */
  readonly busy: Iterable<Busy>;
  /** Kept from one claim to the next: there is no search past full hosts and accounts before this time. */
  readonly search: { pausedUntil: number };
}

/** The search past a long line of a busy host may take at most a tenth of the time. */
const PAUSE_PER_SEARCH = 10;
const MAX_ROUNDS = 10;
const PUT_OFF_MS = 60_000;

/** Takes as many due deliveries as there are places for, each under a lease that covers one try. */
export async function claimDue(db: Db, options: Options): Promise<ClaimedDelivery[]> {
  for (;;) {
    const claimed = await claim(db, options);
    const sendable = await withoutPaused(db, claimed);
    // Held deliveries leave their places to others.
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
 * Separates deliveries that may be sent from those that wait behind another of their subject. A delivery behind one that is just ending on
 * another server is neither and stays due: that server may have brought followers forward before this one was written, so nobody else
 * would.
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

function createSlotCounts({ inAll, perHost, perAccount }: Places, busy: Iterable<Busy>) {
  const used = [...busy];
  // Many accounts may have the same host. One whose addresses there hang leaves some of its places to the others.
  const perPair = Math.ceil((perHost * 3) / 4);
  /** One for each group of `max` tries or more. */
  const full = (max: number, keyOf: (each: Busy) => string): Busy[] =>
    [...Map.groupBy(used, keyOf).values()]
      .filter((same) => same.length >= max)
      .flatMap(([first]) => first ?? []);
  return {
    free: () => inAll - used.length,
    full: () => ({
      hosts: full(perHost, ({ host }) => host).map(({ host }) => host),
      users: full(perAccount, ({ userId }) => userId).map(({ userId }) => userId),
      pairs: full(perPair, ({ host, userId }) => `${userId} ${host}`),
    }),
    take(target: Busy): boolean {
      const atHost = used.filter(({ host }) => host === target.host);
      const isFree =
        used.length < inAll &&
        atHost.length < perHost &&
        atHost.filter(({ userId }) => userId === target.userId).length < perPair &&
        used.filter(({ userId }) => userId === target.userId).length < perAccount;
      if (isFree) used.push(target);
      return isFree;
    },
  };
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
