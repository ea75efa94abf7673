/**
 * Carries live events to whoever listens for one user. Events are hints: they are not kept, and a listener
 * that was not there missed them. The truth is a database row.
 */
export interface Bus<Event> {
  /** Returns when the event is on its way; it never waits for listeners. */
  publish(userId: string, event: Event): void;
  /** Events of one publisher arrive in order. Call the result to stop listening. */
  subscribe(userId: string, listener: (event: Event) => void): () => void;
  /** Whether anybody would hear: an event that is costly to make need not be made for nobody. */
  hasListeners(userId: string): boolean;
}
