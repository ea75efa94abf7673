import type { PreviewData } from '@atelier/contracts';

import type { Said } from '../../platform/bus/message-queue.ts';
import type { UserEvent } from './user-event.ts';

/** What one server tells another. */
export function toSaid(event: UserEvent): Said {
  if (event.kind === 'message') {
    const { type, jobId, data, id, replaceable } = event;
    return { text: JSON.stringify({ type, jobId, data, id, replaceable }) };
  }
  if (event.kind === 'text') return { text: JSON.stringify({ ...event, frame: base64(event.frame) }) };
  const { bytes, ...rest } = event;
  const text = JSON.stringify(rest);
  if (event.kind === 'picture') return { text, bytes };
  return { text, bytes, replaces: `${event.jobId} ${event.about.node_id}` };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

export function fromSaid(text: string, bytes: Uint8Array | undefined): UserEvent {
  const value: unknown = JSON.parse(text);
  const fields: Readonly<Record<string, unknown>> = typeof value === 'object' ? { ...value } : {};
  const { kind, type, jobId, frame, data, id, replaceable, clientId, about } = fields;
  if (typeof jobId === 'string' && bytes && typeof about === 'object' && about) {
    const picture = { jobId, about: about as PreviewData, bytes };
    if (kind === 'preview') return { kind, layout: 'metadata', ...picture };
    if (kind === 'picture')
      return { kind, ...picture, ...(typeof clientId === 'string' ? { clientId } : {}) };
  }
  if (kind === 'text' && typeof jobId === 'string' && typeof frame === 'string')
    return { kind, jobId, frame: Buffer.from(frame, 'base64') };
  if (typeof type !== 'string' || typeof data !== 'string') {
    throw new Error('A message of another server is not understood.');
  }
  return {
    kind: 'message',
    type,
    data,
    replaceable: replaceable === true,
    ...(typeof jobId === 'string' ? { jobId } : {}),
    ...(typeof id === 'string' ? { id } : {}),
  };
}
