/** Carries live events to the listeners of one user. Events are hints and not stored: the truth is a database row. */
export interface Bus<Event> {
  /** Never waits for listeners. */
  publish(userId: string, event: Event): void;
  /** Events of one publisher arrive in order. Call the result to stop listening. */
  subscribe(userId: string, listener: (event: Event) => void): () => void;
  /** Lets publishers skip events that are costly to make. */
  hasListeners(userId: string): boolean;
}
