/** What one server says to the others. */
export type BusMessage =
  /** It has just connected, and may have missed what the others said. These are the users it has listeners for. */
  | { readonly hello: readonly string[] }
  /** The users it has listeners for. */
  | { readonly users: readonly string[] }
  | { readonly listen: string }
  | { readonly unlisten: string }
  | { readonly events: readonly (readonly [userId: string, text: string])[] }
  | { readonly bye: true };

/** `number` counts up, so that an envelope that was sent twice (the first may have been lost) counts once. */
export type Envelope = BusMessage & { readonly from: string; readonly number: number };

/** PostgreSQL takes payloads of less than 8000 bytes. */
export const PAYLOAD_BYTES = 7900;
export const MAX_ENVELOPE_BYTES = 4 * 1024 * 1024;
/** As base64, with what stands before it, this fits into a payload. */
const PIECE_BYTES = 5700;
const PIECE = /^(?<from>\S+) (?<number>\d+) (?<index>\d+) (?<total>\d+) (?<text>[\w+/=]+)$/;

/** The payloads that carry an envelope: the envelope itself, or pieces of it. `undefined` for one that is too large. */
export function toPayloads(envelope: Envelope): readonly string[] | undefined {
  const text = JSON.stringify(envelope);
  if (Buffer.byteLength(text) <= PAYLOAD_BYTES) return [text];
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_ENVELOPE_BYTES) return undefined;
  const total = Math.ceil(bytes.length / PIECE_BYTES);
  return Array.from({ length: total }, (_, index) => {
    const piece = bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES).toString('base64');
    return `${envelope.from} ${envelope.number} ${index} ${total} ${piece}`;
  });
}

interface Unfinished {
  readonly number: string;
  readonly pieces: Buffer[];
}

/** Puts envelopes together. The pieces of one server come one after the other, so each has one unfinished envelope at most. */
export function createEnvelopeReader() {
  const unfinished = new Map<string, Unfinished>();

  return {
    /** The envelope that this payload completes, if it does. */
    read(payload: string): Envelope | undefined {
      if (payload.startsWith('{')) return parseLetter(payload);
      const { from = '', number = '', index, total, text = '' } = PIECE.exec(payload)?.groups ?? {};
      const isSane = Number(total) <= Math.ceil(MAX_ENVELOPE_BYTES / PIECE_BYTES);
      if (index === '0' && isSane) unfinished.set(from, { number, pieces: [] });
      const found = unfinished.get(from);
      // The beginning was missed, or the sender began again.
      if (!found || found.number !== number || found.pieces.length !== Number(index)) return undefined;
      found.pieces.push(Buffer.from(text, 'base64'));
      if (found.pieces.length < Number(total)) return undefined;
      unfinished.delete(from);
      return parseLetter(Buffer.concat(found.pieces).toString());
    },
    /** Its unfinished envelopes are forgotten: those of one server, or all. */
    forget(from?: string): void {
      if (from === undefined) unfinished.clear();
      else unfinished.delete(from);
    },
  };
}

function parseLetter(text: string): Envelope {
  const value: unknown = JSON.parse(text);
  if (!isLetter(value)) throw new Error('A message between servers is not understood.');
  return value;
}

function isLetter(value: unknown): value is Envelope {
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
