import type { PreviewData } from '@atelier/contracts';

/**
 * What the sockets and streams of a user are told, rendered once for all of them. Events that may be merged or left out
 * for a slow reader say so; all others arrive or the connection ends.
 */
export type UserEvent = MessageEvent | PreviewEvent | PictureEvent | TextEvent;

/** A JSON message of the WebSocket. */
export interface MessageEvent {
  readonly kind: 'message';
  readonly type: string;
  /** The job it is about; absent for `status`. */
  readonly jobId?: string;
  /** The data of the message, as JSON text. The whole frame is `{"type":…,"data":…}`. */
  readonly data: string;
  /** `<attempt>-<number>`: where a stream of Server-Sent Events may be taken up again. Only what is kept has one. */
  readonly id?: string;
  /** A newer one of the same type and job makes it useless. */
  readonly replaceable: boolean;
}

/** A picture of work under way. It is told twice on a server, for clients of either layout, and once to other servers. */
export interface PreviewEvent {
  readonly kind: 'preview';
  readonly jobId: string;
  /** The layout with metadata stands before the `progress` message of the same step, the plain one behind it. */
  readonly layout: 'metadata' | 'plain';
  readonly about: PreviewData;
  readonly bytes: Uint8Array;
}

/** A picture that a node gives to the client that submitted its job; no reader is left without it. */
export interface PictureEvent {
  readonly kind: 'picture';
  readonly jobId: string;
  /** The sockets it is for; all of the user's without one. */
  readonly clientId?: string;
  readonly about: PreviewData;
  readonly bytes: Uint8Array;
}

export interface TextEvent {
  readonly kind: 'text';
  readonly jobId: string;
  readonly frame: Uint8Array;
}
