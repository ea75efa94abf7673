/** A small event: a JSON value, or a binary frame with its bytes. */
export type BusEvent =
  | { readonly kind: 'json'; readonly data: unknown }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array };

export type BusListener = (event: BusEvent) => void;

/**
 * Carries live events to whoever listens for one user. Events are hints: they are not kept, and a listener
 * that was not there missed them. The truth is a database row.
 */
export interface Bus {
  /** Returns when the event is on its way; it never waits for listeners. */
  publish(userId: string, event: BusEvent): void;
  /** Events of one publisher arrive in order. Call the result to stop listening. */
  subscribe(userId: string, listener: BusListener): () => void;
}
