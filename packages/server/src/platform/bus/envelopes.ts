/** What servers tell each other. */
export type BusMessage =
  /** The sender has just connected and may have missed messages. It has listeners for these users. */
  | { readonly hello: readonly string[] }
  /** The sender has listeners for these users. */
  | { readonly users: readonly string[] }
  | { readonly listen: string }
  | { readonly unlisten: string }
  | EventsMessage
  | { readonly bye: true };

/** Events without a user go to all servers. */
export const NO_USER = '';

export interface EventsMessage {
  readonly events: readonly (readonly [userId: string, text: string])[];
  /** Attached to the event, which is then the only one. */
  readonly bytes?: Uint8Array;
  /** For all servers, whether or not they have listeners for these users. */
  readonly toAll?: true;
}

/** Events are numbered, and an envelope has the number of its last one, so that a repeated envelope counts once. */
export type Envelope = BusMessage & { readonly from: string; readonly number: number };

export const MAX_ENVELOPE_BYTES = 4 * 1024 * 1024;
const NEWLINE = 10;

/** A line of JSON with the size of each event, then the texts of the events, then the attached bytes. */
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
  if (!isHead(value)) throw new Error('A message between servers is malformed.');
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
