import { isObject } from '@atelier/contracts/is-object';

import { parseJsonOrUndefined } from '../../platform/parse-json.ts';

/** Longer than any list of flags. */
const MAX_BYTES = 16_384;

/** What a client says it can do, when this frame says so; `undefined` for any other frame. */
export function readFeatureFlags(frame: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  if (frame.length > MAX_BYTES) return undefined;
  const message = parseJsonOrUndefined(Buffer.from(frame.buffer, frame.byteOffset, frame.length).toString());
  if (!isObject(message) || message['type'] !== 'feature_flags') return undefined;
  return isObject(message['data']) ? message['data'] : {};
}
