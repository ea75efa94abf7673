import type { PreviewData } from '@atelier/contracts';

import type { UserEvent } from './user-event.ts';

/** What one server tells another. */
export function toText(event: UserEvent): string {
  if (event.kind === 'message') {
    const { type, jobId, data, id, replaceable } = event;
    return JSON.stringify({ type, jobId, data, id, replaceable });
  }
  if (event.kind === 'picture') return JSON.stringify({ ...event, bytes: base64(event.bytes) });
  return JSON.stringify({ ...event, frame: base64(event.frame) });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

export function fromText(text: string): UserEvent {
  const value: unknown = JSON.parse(text);
  const fields: Readonly<Record<string, unknown>> = typeof value === 'object' ? { ...value } : {};
  const { kind, type, jobId, layout, frame, data, id, replaceable, clientId, about, bytes: picture } = fields;
  if (kind === 'picture' && typeof jobId === 'string' && typeof picture === 'string') {
    const bytes = Buffer.from(picture, 'base64');
    const named = typeof clientId === 'string' ? { clientId } : {};
    return { kind, jobId, about: about as PreviewData, bytes, ...named };
  }
  if (typeof jobId === 'string' && typeof frame === 'string') {
    const bytes = Buffer.from(frame, 'base64');
    if (kind === 'text') return { kind, jobId, frame: bytes };
    if (kind === 'preview' && (layout === 'metadata' || layout === 'plain')) {
      return { kind, jobId, layout, frame: bytes };
    }
  }
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
