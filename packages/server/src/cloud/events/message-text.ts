import type { MessageEvent } from './user-event.ts';

/** A message as one server tells it to another. */
export function toText({ type, jobId, data, id, replaceable }: MessageEvent): string {
  return JSON.stringify({ type, jobId, data, id, replaceable });
}

export function fromText(text: string): MessageEvent {
  const value: unknown = JSON.parse(text);
  const fields: Readonly<Record<string, unknown>> = typeof value === 'object' ? { ...value } : {};
  const { type, jobId, data, id, replaceable } = fields;
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
