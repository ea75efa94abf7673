import type { PreviewData } from '@atelier/contracts';

import type { OutgoingEvent } from '../../platform/bus/message-queue.ts';
import type { UserEvent } from './user-event.ts';

/** Encodes an event for another server: JSON, followed by a newline and the data of a message, which is already JSON. */
export function encodeEvent(event: UserEvent): OutgoingEvent {
  if (event.kind === 'message') {
    const { data, ...rest } = event;
    const text = `${JSON.stringify(rest)}\n${data}`;
    return rest.type === 'status' ? { text, replaces: rest.type } : { text };
  }
  if (event.kind === 'text') return { text: JSON.stringify({ ...event, frame: event.frame.toBase64() }) };
  const { bytes, ...rest } = event;
  const text = JSON.stringify(rest);
  if (event.kind === 'picture') return { text, bytes };
  return { text, bytes, replaces: `${event.jobId} ${event.about.node_id}` };
}

export function decodeEvent(text: string, bytes: Uint8Array | undefined): UserEvent {
  const end = text.indexOf('\n');
  const value: unknown = JSON.parse(end < 0 ? text : text.slice(0, end));
  const fields: Readonly<Record<string, unknown>> = typeof value === 'object' ? { ...value } : {};
  const { kind, type, jobId, frame, id, replaceable, clientId, about } = fields;
  if (typeof jobId === 'string' && bytes && typeof about === 'object' && about) {
    const picture = { jobId, about: about as PreviewData, bytes };
    if (kind === 'preview') return { kind, layout: 'metadata', ...picture };
    if (kind === 'picture')
      return { kind, ...picture, ...(typeof clientId === 'string' ? { clientId } : {}) };
  }
  if (kind === 'text' && typeof jobId === 'string' && typeof frame === 'string')
    return { kind, jobId, frame: Buffer.from(frame, 'base64') };
  if (kind !== 'message' || typeof type !== 'string' || end < 0) {
    throw new Error('A message of another server is not understood.');
  }
  return {
    kind,
    type,
    data: text.slice(end + 1),
    replaceable: replaceable === true,
    ...(typeof jobId === 'string' ? { jobId } : {}),
    ...(typeof id === 'string' ? { id } : {}),
  };
}
