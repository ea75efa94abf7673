import { isObject } from '@atelier/contracts/is-object';

import { parseJsonOrUndefined } from '../../platform/parse-json.ts';

/** More than any list of flags needs. */
const MAX_BYTES = 16_384;

/** The feature flags that a client announces; `undefined` for any other frame. */
export function readFeatureFlags(frame: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  if (frame.length > MAX_BYTES) return undefined;
  const message = parseJsonOrUndefined(Buffer.from(frame.buffer, frame.byteOffset, frame.length).toString());
  if (!isObject(message) || message['type'] !== 'feature_flags') return undefined;
  return isObject(message['data']) ? message['data'] : {};
}
