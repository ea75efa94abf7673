import type { Bus } from './bus.ts';

/** The bus of a single server. Calls listeners synchronously, in the order in which they subscribed. */
export function createInProcessBus<Event>(onListenerError: (error: unknown) => void): Bus<Event> {
  const listenersOf = new Map<string, Set<{ readonly call: (event: Event) => void }>>();

  return {
    publish(userId, event) {
      // A copy, because a listener may unsubscribe itself or another while it is called.
      for (const listener of Array.from(listenersOf.get(userId) ?? [])) {
        try {
          listener.call(event);
        } catch (error) {
          onListenerError(error);
        }
      }
    },
    hasListeners: (userId) => listenersOf.has(userId),
    subscribe(userId, listener) {
      const entry = { call: listener };
      const listeners = listenersOf.getOrInsertComputed(userId, () => new Set());
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
        if (listeners.size === 0 && listenersOf.get(userId) === listeners) listenersOf.delete(userId);
      };
    },
  };
}
