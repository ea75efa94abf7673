import type { PreviewData } from '@atelier/contracts';

/**
 * What the sockets and streams of a user receive, rendered once for all of them. Replaceable messages and previews may be left out
 * for a slow reader; all other events arrive, or the connection is closed.
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
  /** `<attempt>-<number>`, from which a stream of Server-Sent Events can be resumed. Only kept messages have one. */
  readonly id?: string;
  /** A newer one of the same type and job makes this one obsolete. */
  readonly replaceable: boolean;
}

/** A picture of work in progress. It is published twice on a server, once per layout, and once to other servers. */
export interface PreviewEvent {
  readonly kind: 'preview';
  readonly jobId: string;
  /** The layout with metadata comes before the `progress` message of the same step, the plain one after it. */
  readonly layout: 'metadata' | 'plain';
  readonly about: PreviewData;
  readonly bytes: Uint8Array;
}

/** A picture that a node sends to the client that submitted its job. It is never left out. */
export interface PictureEvent {
  readonly kind: 'picture';
  readonly jobId: string;
  /** The client whose sockets it is for; absent for all sockets of the user. */
  readonly clientId?: string;
  readonly about: PreviewData;
  readonly bytes: Uint8Array;
}

export interface TextEvent {
  readonly kind: 'text';
  readonly jobId: string;
  readonly frame: Uint8Array;
}
