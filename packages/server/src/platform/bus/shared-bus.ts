import { newId } from '../ids.ts';
import type { Bus } from './bus.ts';
import { type BusMessage, type Envelope, type EventsMessage, NO_USER } from './envelopes.ts';
import type { OpenLink } from './link.ts';
import { createMessageQueue, type OutgoingEvent } from './message-queue.ts';

const ANNOUNCE_MS = 10_000;
const FORGET_MS = 30_000;

interface Parts<Event> {
  readonly openLink: OpenLink;
  readonly local: Bus<Event>;
  readonly encode: (event: Event) => OutgoingEvent;
  readonly decode: (text: string, bytes: Uint8Array | undefined) => Event;
  /** Whether other servers act on it even when nobody listens there. */
  readonly concernsAll: (event: Event) => boolean;
  /** Whether this server has just resumed after a standstill; `reconnect` was called then. Checked before events are sent. */
  readonly hasResumed: () => boolean;
  /** Another server said it. Whoever listens here hears it when it is published to `local`. */
  readonly onReceived: (userId: string, event: Event) => void;
  /** Another server has just got its first listener for this user. */
  readonly onNeeded: (userId: string) => void;
  /** The last listener of this user here is gone: of what others say nothing is heard any more. */
  readonly onIdle: (userId: string) => void;
  /** The connection was lost and is back: what other servers said of these users, who have listeners here, was missed. */
  readonly onMissed: (userIds: readonly string[]) => void;
  /** Something waited for too long to be told to other servers. */
  readonly onLeftOut: (what: 'picture' | 'message') => void;
  readonly onError: (error: unknown) => void;
}

export type SharedBus<Event> = ReturnType<typeof createSharedBus<Event>>;

interface OtherServer {
  last: number;
  heardAt: number;
  users: Set<string>;
  /** It or this server was away: it needs to be told again how things stand. */
  hasMissed: boolean;
}

/**
 * The bus of several servers on one database. Each says for which users it has listeners, and is told only of those: a single
 * server sends next to nothing.
 */
export function createSharedBus<Event>(parts: Parts<Event>) {
  const { local, onError } = parts;
  const own = newId();
  const others = new Map<string, OtherServer>();
  const listenedTo = new Set<string>();
  let wasOpen = false;
  /** Whether another server was ever heard. A single one misses nothing. */
  let hasCompany = false;
  let isStale = false;
  let announcedAt = performance.now();
  let announcing: NodeJS.Timeout | undefined;

  const link = parts.openLink({
    own,
    onOpen,
    onEnvelope: (envelope) => guard(() => receive(envelope)),
    onError,
  });
  const queue = createMessageQueue({
    from: own,
    batchBytes: link.batchBytes,
    send: async (envelope) =>
      'events' in envelope && parts.hasResumed() ? 'lost' : await link.send(envelope),
    onLeftOut: parts.onLeftOut,
    onError,
  });

  function onOpen(): void {
    for (const userId of listenedTo) link.listen(userId);
    queue.open({ hello: [...listenedTo] });
    for (const other of others.values()) other.hasMissed = true;
    if (isStale || (wasOpen && hasCompany)) guard(() => parts.onMissed([...listenedTo]));
    wasOpen = true;
    isStale = false;
  }

  function receive(envelope: Envelope): void {
    if (envelope.from === own) return;
    const known = others.get(envelope.from);
    const other = known ?? { last: 0, heardAt: 0, users: new Set(), hasMissed: false };
    others.set(envelope.from, other);
    hasCompany = true;
    if (envelope.number <= other.last) return;
    other.last = envelope.number;
    other.heardAt = performance.now();
    if ('bye' in envelope) {
      others.delete(envelope.from);
      return;
    }
    if (!known || 'hello' in envelope) queue.say({ users: [...listenedTo] });
    if ('hello' in envelope) {
      other.hasMissed = true;
      setUsers(other, envelope.hello);
    } else if ('users' in envelope) {
      setUsers(other, envelope.users);
    } else if ('listen' in envelope) {
      if (!other.users.has(envelope.listen)) need(other, envelope.listen);
    } else if ('unlisten' in envelope) {
      other.users.delete(envelope.unlisten);
    } else {
      tellHere(envelope);
    }
  }

  function tellHere({ events, bytes, toAll }: EventsMessage): void {
    for (const [userId, text] of events) {
      // Where a link brings everything, most of it is for others.
      if (toAll || userId === NO_USER || listenedTo.has(userId))
        guard(() => parts.onReceived(userId, parts.decode(text, bytes)));
    }
  }

  function setUsers(other: OtherServer, userIds: readonly string[]): void {
    const before = other.hasMissed ? new Set() : other.users;
    other.users = new Set(userIds);
    other.hasMissed = false;
    for (const userId of other.users) if (!before.has(userId)) need(other, userId);
  }

  function need(other: OtherServer, userId: string): void {
    other.users.add(userId);
    guard(() => parts.onNeeded(userId));
  }

  function announce(): void {
    const now = performance.now();
    // After a standstill of this server nobody was heard, and that says nothing about them.
    const wasHere = now - announcedAt < FORGET_MS;
    announcedAt = now;
    for (const [from, { heardAt }] of others) if (wasHere && heardAt < now - FORGET_MS) others.delete(from);
    queue.say({ users: [...listenedTo] });
  }

  /** Who comes later is told everything when it says hello. */
  function sayIfHeard(message: BusMessage): void {
    if (others.size > 0) queue.say(message);
  }

  function guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      onError(error);
    }
  }

  const isHeardElsewhere = (userId: string): boolean =>
    others.size > 0 && others.values().some(({ users }) => users.has(userId));

  return {
    publish(userId: string, event: Event): void {
      local.publish(userId, event);
      if (others.size === 0) return;
      const toAll = parts.concernsAll(event);
      if (toAll || isHeardElsewhere(userId)) queue.tell(userId, parts.encode(event), { toAll });
    },
    /** Only to other servers that have listeners for this user. */
    tellOthers(userId: string, event: Event): void {
      if (isHeardElsewhere(userId)) queue.tell(userId, parts.encode(event));
    },
    /** To all other servers, also when none is known: one that was silent for a while may be back. */
    tellAll: (userId: string, event: Event): void => queue.tell(userId, parts.encode(event), { toAll: true }),
    /** Whether another server is known. */
    hasOthers: (): boolean => others.size > 0,
    /** False while nothing of what other servers say is heard. */
    isOpen: link.isOpen,
    /** Of how many other servers is known for whom they have listeners. */
    countOthers: () => others.size,
    /** Whether another server has listeners for this user. */
    isHeardElsewhere,
    hasListeners: (userId: string): boolean => local.hasListeners(userId) || isHeardElsewhere(userId),
    subscribe(userId: string, listener: (event: Event) => void): () => void {
      const stop = local.subscribe(userId, listener);
      if (!listenedTo.has(userId)) {
        listenedTo.add(userId);
        link.listen(userId);
        sayIfHeard({ listen: userId });
      }
      return () => {
        stop();
        if (local.hasListeners(userId) || !listenedTo.delete(userId)) return;
        link.unlisten(userId);
        sayIfHeard({ unlisten: userId });
        guard(() => parts.onIdle(userId));
      };
    },
    /** This server stood still: what waits to be told or heard is too old, and others may have given up on it. `onMissed` follows. */
    reconnect(): void {
      isStale = true;
      queue.dropEvents();
      link.reconnect();
    },
    async start(): Promise<void> {
      announcing = setInterval(announce, ANNOUNCE_MS).unref();
      await link.start();
    },
    async close(): Promise<void> {
      clearInterval(announcing);
      sayIfHeard({ bye: true });
      await queue.close();
      await link.close();
    },
  };
}
