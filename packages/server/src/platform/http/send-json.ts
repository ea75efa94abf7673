import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** A text that is generated while it is sent. */
export type Pieces = AsyncIterable<string>;

/** A workflow may have 10 MB. */
const FIRST = 1;
const MAX_BATCH_SIZE = 64;
/** After a piece that is longer, the next one is made alone. */
const LONG_PIECE = 262_144;
const WORTH_STREAMING = 65_536;

/** Comma-separated texts of the sources, a batch at a time. Long texts make small batches. */
export async function* commaSeparated<T>(
  sources: readonly T[],
  render: (some: readonly T[]) => Promise<readonly string[]>,
  first = FIRST,
): AsyncGenerator<string> {
  let comma = '';
  let size = first;
  for (let at = 0; at < sources.length; ) {
    const texts = await render(sources.slice(at, at + size));
    at += size;
    const piece = texts.join(',');
    if (piece !== '') yield `${comma}${piece}`;
    if (piece !== '') comma = ',';
    size = piece.length > LONG_PIECE ? 1 : Math.min(size * 2, MAX_BATCH_SIZE);
    // Reads of SQLite never yield to the event loop.
    await turn();
  }
}

/**
 * Sends JSON text. The framework would send nothing for `null` and a string without its quotes, and would lose numbers
 * beyond 2^53. Short texts are sent at once, long ones as fast as they are read.
 */
export async function sendJson(
  reply: FastifyReply,
  json: string | Uint8Array | Pieces,
): Promise<FastifyReply> {
  reply.type('application/json; charset=utf-8');
  if (typeof json === 'string' || json instanceof Uint8Array) return await reply.send(json);
  const pieces = json[Symbol.asyncIterator]();
  let start = '';
  while (start.length < WORTH_STREAMING) {
    const piece = await pieces.next();
    if (piece.done) return await reply.send(start);
    start += piece.value;
  }
  const all = async function* (): AsyncGenerator<string> {
    yield start;
    yield* { [Symbol.asyncIterator]: () => pieces };
  };
  return await reply.send(Readable.from(all(), { objectMode: false }));
}
