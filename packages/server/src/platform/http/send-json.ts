import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** A text that is made while it is sent. */
export type Pieces = AsyncIterable<string>;

/** A workflow may have 10 MB. */
const FIRST = 1;
const MAX_BATCH_SIZE = 64;
/** After a piece that is longer, the next one is made alone. */
const LONG_PIECE = 262_144;
const WORTH_STREAMING = 65_536;

/** Texts with commas between them, made of a few sources at a time: the fewer, the longer they are. */
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
    // Reads of an embedded database do not wait for anything, so others would never have their turn.
    await turn();
  }
}

/**
 * Sends JSON that is text already: the framework would send nothing for `null` and a string without its quotes, and would not keep
 * numbers beyond 2^53 exact. What is short leaves at once; the rest as fast as it is read, a piece at a time.
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
