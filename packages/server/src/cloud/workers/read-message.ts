import {
  decodePicture,
  FROM_WORKER,
  type FromWorker,
  MAX_JOB_MESSAGE_BYTES,
  MAX_JOB_MESSAGE_DEPTH,
  MAX_PREVIEW_BYTES,
  WORKER_CLOSE,
} from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { parseJson } from '@atelier/engine';
import type { RawData } from 'ws';

import { createBodyCheck } from '../../platform/http/validation.ts';

/** A message that a correct worker never sends. */
export class BadMessage extends Error {
  override readonly name = 'BadMessage';
  readonly code: number;
  constructor(message: string, code: number = WORKER_CLOSE.protocol) {
    super(message);
    this.code = code;
  }
}

const checks = new Map(
  Object.entries(FROM_WORKER).map(([type, schema]) => [type, createBodyCheck(schema)] as const),
);
/** Integers that `JSON.parse` would round. */
const LONG_NUMBER = /\d{16}/;

/** Messages about a worker, which can be larger than those about a job. `history` combines many messages. */
const LARGE = new Set<unknown>(['hello', 'offer', 'node_types', 'history']);

/** Reads a frame from a worker. Throws `BadMessage` with a sentence for the worker's log. */
export function readMessage(data: RawData, isBinary: boolean): FromWorker {
  if (!Buffer.isBuffer(data)) throw new BadMessage('A frame came in pieces.');
  if (!isBinary) return checked(parsed(data.toString()));
  const frame = decodePicture(data as Buffer<ArrayBuffer>);
  if (!frame) throw new BadMessage('A binary frame is shorter than it says.');
  const { head, picture } = frame;
  if (picture.length > MAX_PREVIEW_BYTES) {
    throw new BadMessage(`A preview has ${picture.length} bytes. At most ${MAX_PREVIEW_BYTES} are allowed.`);
  }
  const message = checked(parsed(head));
  const event = message.type === 'events' && message.events.length === 1 ? message.events[0] : undefined;
  if (event?.type !== 'progress' || !isObject(event.preview)) {
    throw new BadMessage('A binary frame is one progress event with a preview.');
  }
  Object.assign(event.preview, { bytes: picture });
  return message;
}

function parsed(text: string): unknown {
  try {
    const message: unknown = JSON.parse(text);
    // Node types are a string within the message; parsing it exactly would take ten times as long.
    const type = isObject(message) ? message['type'] : undefined;
    if (text.length > MAX_JOB_MESSAGE_BYTES && !LARGE.has(type))
      throw new BadMessage(
        `A message has ${text.length} characters. At most ${MAX_JOB_MESSAGE_BYTES} are allowed.`,
      );
    const isText = type === 'node_types';
    return !isText && LONG_NUMBER.test(text) ? parseJson(text) : message;
  } catch (error) {
    throw error instanceof BadMessage ? error : new BadMessage('A message is not JSON.');
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((each) => isDeeper(each, levels - 1));
}

function checked(message: unknown): FromWorker {
  const type = isObject(message) ? message['type'] : undefined;
  const check = typeof type === 'string' ? checks.get(type) : undefined;
  if (!check) throw new BadMessage(`There is no message of the type ${JSON.stringify(type) ?? 'undefined'}.`);
  // The code that reads it is recursive in places.
  if (isDeeper(message, MAX_JOB_MESSAGE_DEPTH))
    throw new BadMessage(
      `The message ${String(type)} is nested more than ${MAX_JOB_MESSAGE_DEPTH} levels deep.`,
    );
  const problem = check(message);
  if (problem !== undefined) throw new BadMessage(`The message ${String(type)} is malformed: ${problem}.`);
  return message as FromWorker;
}
