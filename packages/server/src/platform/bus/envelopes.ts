/** What one server says to the others. */
export type BusMessage =
  /** It has just connected, and may have missed what the others said. These are the users it has listeners for. */
  | { readonly hello: readonly string[] }
  /** The users it has listeners for. */
  | { readonly users: readonly string[] }
  | { readonly listen: string }
  | { readonly unlisten: string }
  | EventsMessage
  | { readonly bye: true };

/** Events of no user are for all servers. */
export const NO_USER = '';

export interface EventsMessage {
  readonly events: readonly (readonly [userId: string, text: string])[];
  /** Bytes that belong to the event, which is then the only one. */
  readonly bytes?: Uint8Array;
  /** Also for servers that have no listeners for these users. */
  readonly toAll?: true;
}

/**
 * `number` counts up, so that an envelope that was sent twice (the first may have been lost) counts once. Each event has a number, and an
 * envelope has that of its last one.
 */
export type Envelope = BusMessage & { readonly from: string; readonly number: number };

export const MAX_ENVELOPE_BYTES = 4 * 1024 * 1024;
const NEWLINE = 10;

/** JSON in a line of its own, and behind it what the events say, of which the JSON tells the sizes, and the bytes if there are any. */
export function toBody(envelope: Envelope): Buffer {
  if (!('events' in envelope)) return Buffer.from(JSON.stringify(envelope));
  const { events, bytes, ...rest } = envelope;
  const sizes = events.map(([userId, text]) => [userId, Buffer.byteLength(text)]);
  const texts = events.map(([, text]) => text).join('');
  const head = { ...rest, events: sizes, ...(bytes && { hasBytes: true }) };
  const body = Buffer.from(`${JSON.stringify(head)}\n${texts}`);
  return bytes ? Buffer.concat([body, bytes]) : body;
}

export function fromBody(body: Buffer): Envelope {
  const end = body.indexOf(NEWLINE);
  const value: unknown = JSON.parse(body.toString('utf8', 0, end < 0 ? body.length : end));
  if (!isHead(value)) throw new Error('A message between servers is not understood.');
  if (!('events' in value)) return value;
  const { hasBytes, ...head } = value;
  let at = end + 1;
  const events = head.events.map(([userId, size]) => {
    const text = body.toString('utf8', at, at + size);
    at += size;
    return [userId, text] as const;
  });
  return { ...head, events, ...(hasBytes && { bytes: body.subarray(at) }) };
}

type Head =
  | Exclude<Envelope, EventsMessage>
  | (Omit<Extract<Envelope, EventsMessage>, 'events' | 'bytes'> & {
      readonly events: readonly (readonly [userId: string, size: number])[];
      readonly hasBytes?: true;
    });

function isHead(value: unknown): value is Head {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  if (typeof fields['from'] !== 'string' || !Number.isSafeInteger(fields['number'])) return false;
  const { hello, users, listen, unlisten, events, bye } = fields;
  return (
    isTexts(hello) ||
    isTexts(users) ||
    typeof listen === 'string' ||
    typeof unlisten === 'string' ||
    (Array.isArray(events) && events.every(isSize)) ||
    bye === true
  );
}

function isSize(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === 'string' && Number.isSafeInteger(value[1]);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
