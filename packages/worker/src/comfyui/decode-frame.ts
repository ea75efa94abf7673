import { isObject } from '@atelier/contracts/is-object';

import { type Fields, parseJsonOrUndefined } from './read-fields.ts';

/** A binary message of ComfyUI. */
export type ComfyFrame =
  | { readonly kind: 'text'; readonly nodeId: string; readonly text: string }
  | {
      readonly kind: 'picture';
      /** Missing in the older form, whose picture belongs to the node that runs. */
      readonly about: Fields | undefined;
      readonly bytes: Uint8Array<ArrayBuffer>;
    };

const PREVIEW = 1;
const TEXT = 3;
const PREVIEW_WITH_METADATA = 4;
const WORD = 4;

/** `undefined` for an unknown or malformed frame. */
export function decodeFrame(frame: Uint8Array<ArrayBuffer>): ComfyFrame | undefined {
  if (frame.length < 2 * WORD) return undefined;
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  const [type, second] = [view.getUint32(0), view.getUint32(WORD)];
  const rest = frame.subarray(2 * WORD);
  if (type === PREVIEW) return { kind: 'picture', about: undefined, bytes: rest };
  if (second > rest.length) return undefined;
  const head = new TextDecoder().decode(rest.subarray(0, second));
  const tail = rest.subarray(second);
  if (type === TEXT) return { kind: 'text', nodeId: head, text: new TextDecoder().decode(tail) };
  if (type !== PREVIEW_WITH_METADATA) return undefined;
  const about = parseJsonOrUndefined(head);
  return isObject(about) ? { kind: 'picture', about, bytes: tail } : undefined;
}
