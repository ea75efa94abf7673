import { type Envelope, fromBody, MAX_ENVELOPE_BYTES, toBody } from './envelopes.ts';

/** Payloads of PostgreSQL are shorter than 8000 bytes. */
export const TEXT_BYTES = 7900;
/** Fits into a text as base64, with its head. */
const TEXT_PIECE_BYTES = 5700;
/** Room for the head of a piece. */
const HEAD_BYTES = 100;
const MAX_PIECES = Math.ceil(MAX_ENVELOPE_BYTES / TEXT_PIECE_BYTES) + 1;
/** A server that dies in the middle of an envelope leaves its first pieces behind. */
const MAX_UNFINISHED = 100;
const HEAD = /^(?<from>\S+) (?<number>\d+) (?<index>\d+) (?<total>\d+) /;
const BRACE = 123;

/** The texts that carry an envelope: its body, or pieces in base64. PostgreSQL takes no NUL in a text. */
export function toTexts(envelope: Envelope): readonly string[] {
  const body = toBody(envelope);
  if (!('bytes' in envelope) && body.length <= TEXT_BYTES && !body.includes(0)) return [body.toString()];
  return cut(envelope, body, TEXT_PIECE_BYTES).map(({ head, data }) => head + data.toString('base64'));
}

/** The packets that carry an envelope: its body, or pieces. */
export function toPackets(envelope: Envelope, maxBytes: number): readonly Buffer[] {
  const body = toBody(envelope);
  if (body.length <= maxBytes) return [body];
  const pieces = cut(envelope, body, maxBytes - HEAD_BYTES);
  return pieces.map(({ head, data }) => Buffer.concat([Buffer.from(head), data]));
}

/** Checks the sender without parsing the whole text. */
export function isFrom(sender: string, text: string): boolean {
  return text.startsWith(`{"from":"${sender}"`) || text.startsWith(`${sender} `);
}

function cut({ from, number }: Envelope, body: Buffer, bytes: number) {
  const total = Math.ceil(body.length / bytes);
  return Array.from({ length: total }, (_, index) => ({
    head: `${from} ${number} ${index} ${total} `,
    data: body.subarray(index * bytes, (index + 1) * bytes),
  }));
}

interface Unfinished {
  readonly number: string;
  readonly pieces: Buffer[];
}

/** Assembles envelopes. The pieces of one server come in order, so each server has at most one unfinished envelope. */
export function createEnvelopeReader() {
  const unfinished = new Map<string, Unfinished>();

  function begin(from: string, number: string): void {
    unfinished.delete(from);
    const [oldest = ''] = unfinished.keys();
    if (unfinished.size >= MAX_UNFINISHED) unfinished.delete(oldest);
    unfinished.set(from, { number, pieces: [] });
  }

  /** Returns the envelope that this piece completes. */
  function readPiece(head: RegExpExecArray | null, toData: (start: number) => Buffer): Envelope | undefined {
    const { from = '', number = '', index, total } = head?.groups ?? {};
    if (index === '0' && Number(total) <= MAX_PIECES) begin(from, number);
    const found = unfinished.get(from);
    // Its first piece was missed, or the sender started over.
    if (!head || !found || found.number !== number || found.pieces.length !== Number(index)) return undefined;
    found.pieces.push(toData(head[0].length));
    if (found.pieces.length < Number(total)) return undefined;
    unfinished.delete(from);
    return fromBody(Buffer.concat(found.pieces));
  }

  return {
    readText(text: string): Envelope | undefined {
      if (text.startsWith('{')) return fromBody(Buffer.from(text));
      return readPiece(HEAD.exec(text), (start) => Buffer.from(text.slice(start), 'base64'));
    },
    readPacket(packet: Uint8Array): Envelope | undefined {
      const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength);
      if (bytes[0] === BRACE) return fromBody(bytes);
      return readPiece(HEAD.exec(bytes.toString('latin1', 0, HEAD_BYTES)), (start) => bytes.subarray(start));
    },
  };
}
