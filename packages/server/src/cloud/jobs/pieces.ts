import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** A text that is made while it is sent. */
export type Pieces = AsyncIterable<string>;

/** Workflows of 10 MB are possible, so never many at once. */
const AT_ONCE = 8;
const WORTH_STREAMING = 65_536;

/** Texts with commas between them, made of a few sources at a time. */
export async function* commaSeparated<T>(
  sources: readonly T[],
  render: (some: readonly T[]) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  let comma = '';
  for (let at = 0; at < sources.length; at += AT_ONCE) {
    for (const text of await render(sources.slice(at, at + AT_ONCE))) {
      yield `${comma}${text}`;
      comma = ',';
    }
    // Reads of an embedded database do not wait for anything, so others would never have their turn.
    await turn();
  }
}

/** Sends JSON: at once when it is short, and otherwise as fast as it is read, a piece at a time. */
export async function sendJson(reply: FastifyReply, json: string | Pieces): Promise<FastifyReply> {
  reply.type('application/json; charset=utf-8');
  if (typeof json === 'string') return await reply.send(json);
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
