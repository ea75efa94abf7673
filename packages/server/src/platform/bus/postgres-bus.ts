import { newId } from '../ids.ts';
import type { Secret } from '../secret.ts';
import type { Bus } from './bus.ts';
import { createLetterQueue } from './letter-queue.ts';
import { createLetterReader, type Letter, type Saying } from './letters.ts';
import { createPostgresLink } from './postgres-link.ts';

const CHANNEL = 'atelier_events';
const ANNOUNCE_MS = 10_000;
const FORGET_MS = 30_000;

interface Parts<Event> {
  readonly url: Secret;
  readonly local: Bus<Event>;
  readonly encode: (event: Event) => string;
  readonly decode: (text: string) => Event;
  /** Whether other servers act on it even when nobody listens there. */
  readonly concernsAll: (event: Event) => boolean;
  /** Another server said it. Whoever listens here hears it when it is published to `local`. */
  readonly onReceived: (userId: string, event: Event) => void;
  /** Another server has just got its first listener for this user. */
  readonly onNeeded: (userId: string) => void;
  /** The last listener of this user here is gone: of what others say nothing is heard any more. */
  readonly onIdle: (userId: string) => void;
  /** The connection was lost and is back: what other servers said of these users, who have listeners here, was missed. */
  readonly onMissed: (userIds: readonly string[]) => void;
  readonly onError: (error: unknown) => void;
}

export interface PostgresBus<Event> extends Bus<Event> {
  /** Only to other servers, whatever it is: a text that `decode` reads. */
  tellOthers(userId: string, text: string): void;
  /** The same, also when no other server is known: one that was silent for a while may be back. */
  tellAnybody(userId: string, text: string): void;
  /** False while nothing of what other servers say is heard. */
  isOpen(): boolean;
  /** Whether another server has listeners for this user. */
  isHeardElsewhere(userId: string): boolean;
  /** This server stood still: what waits to be told or heard is too old, and others may have given up on it. `onMissed` follows. */
  reconnect(): void;
  start(): Promise<void>;
  close(): Promise<void>;
}

interface OtherServer {
  last: number;
  heardAt: number;
  users: Set<string>;
  /** It or this server was away: it needs to be told again how things stand. */
  hasMissed: boolean;
}

/**
 * The bus of several servers on one PostgreSQL. Each says for which users it has listeners, and is told only of those: a single
 * server sends next to nothing.
 */
export function createPostgresBus<Event>(parts: Parts<Event>): PostgresBus<Event> {
  const { url, local, onError } = parts;
  const own = newId();
  const others = new Map<string, OtherServer>();
  const listenedTo = new Set<string>();
  const reader = createLetterReader();
  let wasOpen = false;
  /** Whether another server was ever heard. A single one misses nothing. */
  let hasCompany = false;
  let isStale = false;
  let announcedAt = performance.now();
  let announcing: NodeJS.Timeout | undefined;

  const link = createPostgresLink({ url, channel: CHANNEL, onOpen, onPayload, onError });
  const queue = createLetterQueue({ from: own, notify: link.notify, onError });

  function onOpen(): void {
    reader.forget();
    queue.open({ hello: [...listenedTo] });
    for (const other of others.values()) other.hasMissed = true;
    if (isStale || (wasOpen && hasCompany)) guard(() => parts.onMissed([...listenedTo]));
    wasOpen = true;
    isStale = false;
  }

  function onPayload(payload: string): void {
    guard(() => {
      const letter = reader.read(payload);
      if (letter && letter.from !== own) receive(letter);
    });
  }

  function receive(letter: Letter): void {
    const known = others.get(letter.from);
    const other = known ?? { last: 0, heardAt: 0, users: new Set(), hasMissed: false };
    others.set(letter.from, other);
    hasCompany = true;
    if (letter.number <= other.last) return;
    other.last = letter.number;
    other.heardAt = performance.now();
    if ('bye' in letter) {
      forget(letter.from);
      return;
    }
    if (!known || 'hello' in letter) queue.say({ users: [...listenedTo] });
    if ('hello' in letter) {
      other.hasMissed = true;
      setUsers(other, letter.hello);
    } else if ('users' in letter) {
      setUsers(other, letter.users);
    } else if ('listen' in letter) {
      if (!other.users.has(letter.listen)) need(other, letter.listen);
    } else if ('unlisten' in letter) {
      other.users.delete(letter.unlisten);
    } else {
      for (const [userId, text] of letter.events) guard(() => parts.onReceived(userId, parts.decode(text)));
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

  function forget(from: string): void {
    others.delete(from);
    reader.forget(from);
  }

  function announce(): void {
    const now = performance.now();
    // After a standstill of this server nobody was heard, and that says nothing about them.
    const wasHere = now - announcedAt < FORGET_MS;
    announcedAt = now;
    for (const [from, { heardAt }] of others) if (wasHere && heardAt < now - FORGET_MS) forget(from);
    queue.say({ users: [...listenedTo] });
  }

  /** Who comes later is told everything when it says hello. */
  function sayIfHeard(saying: Saying): void {
    if (others.size > 0) queue.say(saying);
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
    publish(userId, event) {
      local.publish(userId, event);
      if (others.size === 0 || !(isHeardElsewhere(userId) || parts.concernsAll(event))) return;
      queue.tell(userId, parts.encode(event));
    },
    tellOthers(userId, text) {
      if (others.size > 0) queue.tell(userId, text);
    },
    tellAnybody: queue.tell,
    isOpen: link.isOpen,
    isHeardElsewhere,
    hasListeners: (userId) => local.hasListeners(userId) || isHeardElsewhere(userId),
    subscribe(userId, listener) {
      const stop = local.subscribe(userId, listener);
      if (!listenedTo.has(userId)) {
        listenedTo.add(userId);
        sayIfHeard({ listen: userId });
      }
      return () => {
        stop();
        if (local.hasListeners(userId) || !listenedTo.delete(userId)) return;
        sayIfHeard({ unlisten: userId });
        guard(() => parts.onIdle(userId));
      };
    },
    reconnect() {
      isStale = true;
      queue.dropEvents();
      link.reconnect();
    },
    async start() {
      announcing = setInterval(announce, ANNOUNCE_MS).unref();
      await link.start();
    },
    async close() {
      clearInterval(announcing);
      sayIfHeard({ bye: true });
      await queue.close();
      await link.close();
    },
  };
}
