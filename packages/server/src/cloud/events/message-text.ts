import type { UserEvent } from './user-event.ts';

/** What one server tells another. */
export function toText(event: UserEvent): string {
  if (event.kind === 'message') {
    const { type, jobId, data, id, replaceable } = event;
    return JSON.stringify({ type, jobId, data, id, replaceable });
  }
  return JSON.stringify({ ...event, frame: Buffer.from(event.frame).toString('base64') });
}

export function fromText(text: string): UserEvent {
  const value: unknown = JSON.parse(text);
  const fields: Readonly<Record<string, unknown>> = typeof value === 'object' ? { ...value } : {};
  const { kind, type, jobId, layout, frame, data, id, replaceable } = fields;
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
