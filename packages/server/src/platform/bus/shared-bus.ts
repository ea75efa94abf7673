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
  /** Whether other servers need it even without listeners. */
  readonly concernsAll: (event: Event) => boolean;
  /** True when this server has just resumed after a stall, and `reconnect` was called. Checked before events are sent. */
  readonly hasResumed: () => boolean;
  /** Called for each event of another server. Publishing it to `local` reaches the listeners here. */
  readonly onReceived: (userId: string, event: Event) => void;
  /** Another server has its first listener for this user. */
  readonly onNeeded: (userId: string) => void;
  /** The last listener for this user here is gone, so events of other servers no longer arrive. */
  readonly onIdle: (userId: string) => void;
  /** After a lost connection: events of these users, who have listeners here, may have been missed. */
  readonly onMissed: (userIds: readonly string[]) => void;
  /** Something was dropped because too much waited for other servers. */
  readonly onLeftOut: (what: 'picture' | 'message') => void;
  readonly onError: (error: unknown) => void;
}

export type SharedBus<Event> = ReturnType<typeof createSharedBus<Event>>;

interface OtherServer {
  last: number;
  heardAt: number;
  users: Set<string>;
  /** The connection of either side was lost, so it needs the current state again. */
  hasMissed: boolean;
}

/**
 * The bus of several servers on one database. Each announces the users it has listeners for and receives only their events,
 * so a single server sends next to nothing.
 */
export function createSharedBus<Event>(parts: Parts<Event>) {
  const { local, onError } = parts;
  const own = newId();
  const others = new Map<string, OtherServer>();
  const listenedTo = new Set<string>();
  let wasOpen = false;
  /** Whether another server was ever heard. A single server misses nothing. */
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
      // PostgreSQL delivers everything, and most of it is for other servers.
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
    // After a stall of this server, silence says nothing about the others.
    const wasHere = now - announcedAt < FORGET_MS;
    announcedAt = now;
    for (const [from, { heardAt }] of others) if (wasHere && heardAt < now - FORGET_MS) others.delete(from);
    queue.say({ users: [...listenedTo] });
  }

  /** Servers that connect later get everything in answer to their hello. */
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
    others.values().some(({ users }) => users.has(userId));

  return {
    publish(userId: string, event: Event): void {
      local.publish(userId, event);
      if (others.size === 0) return;
      const toAll = parts.concernsAll(event);
      if (toAll || isHeardElsewhere(userId)) queue.tell(userId, parts.encode(event), { toAll });
    },
    /** Publishes only to other servers that have listeners for this user. */
    tellOthers(userId: string, event: Event): void {
      if (isHeardElsewhere(userId)) queue.tell(userId, parts.encode(event));
    },
    /** Publishes to all other servers, even when none is known: a silent one may be back. */
    tellAll: (userId: string, event: Event): void => queue.tell(userId, parts.encode(event), { toAll: true }),
    hasOthers: (): boolean => others.size > 0,
    /** False while messages of other servers do not arrive. */
    isOpen: link.isOpen,
    countOthers: () => others.size,
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
    /** After a stall of this server, what waits to be sent or read is too old. `onMissed` follows. */
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
