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

/** JSON, which has no line ends of its own, and behind a line end the bytes if there are any. */
export function toBody(envelope: Envelope): Buffer {
  if (!('bytes' in envelope)) return Buffer.from(JSON.stringify(envelope));
  const { bytes, ...rest } = envelope;
  return Buffer.concat([Buffer.from(`${JSON.stringify(rest)}\n`), bytes]);
}

export function fromBody(body: Buffer): Envelope {
  const end = body.indexOf(NEWLINE);
  const value: unknown = JSON.parse(body.toString('utf8', 0, end < 0 ? body.length : end));
  if (!isEnvelope(value)) throw new Error('A message between servers is not understood.');
  return end < 0 ? value : { ...value, bytes: body.subarray(end + 1) };
}

function isEnvelope(value: unknown): value is Envelope {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  if (typeof fields['from'] !== 'string' || !Number.isSafeInteger(fields['number'])) return false;
  const { hello, users, listen, unlisten, events, bye } = fields;
  return (
    isTexts(hello) ||
    isTexts(users) ||
    typeof listen === 'string' ||
    typeof unlisten === 'string' ||
    (Array.isArray(events) && events.every((event) => isTexts(event) && event.length === 2)) ||
    bye === true
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
