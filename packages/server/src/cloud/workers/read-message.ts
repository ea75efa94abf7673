import {
  decodePicture,
  FROM_WORKER,
  type FromWorker,
  MAX_PREVIEW_BYTES,
  WORKER_CLOSE,
} from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { parseJson } from '@atelier/engine';
import type { RawData } from 'ws';

import { createBodyCheck } from '../../platform/http/validation.ts';

/** A message that no worker of ours sends. */
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

/** Reads a frame of a worker. Throws `BadMessage`, with a sentence for the worker's log. */
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
    // Node types are a text within the message; reading them exactly would take ten times as long.
    const isText = isObject(message) && message['type'] === 'node_types';
    return !isText && LONG_NUMBER.test(text) ? parseJson(text) : message;
  } catch {
    throw new BadMessage('A message is not JSON.');
  }
}

function checked(message: unknown): FromWorker {
  const type = isObject(message) ? message['type'] : undefined;
  const check = typeof type === 'string' ? checks.get(type) : undefined;
  if (!check) throw new BadMessage(`There is no message of the type ${JSON.stringify(type) ?? 'undefined'}.`);
  const problem = check(message);
  if (problem !== undefined) throw new BadMessage(`The message ${String(type)} is malformed: ${problem}.`);
  return message as FromWorker;
}
