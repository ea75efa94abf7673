import { type Static, Type } from 'typebox';

import type { VendorName } from './task-kinds.ts';

/** Pictures come in the body, and base64 takes a third more than they have. */
export const MOST_BODY_BYTES = 72 * 1024 * 1024;

export const TaskHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The same key and body within 24 hours give the same task.',
    }),
  ),
});
export type TaskHeaders = Static<typeof TaskHeaders>;

/** What the public clients of these vendors call them. */
const ALIASES = { imagevendor: 'freepik', videovendor: 'vidu' } as const satisfies Record<VendorName, string>;

/** Under which paths a vendor's routes stand, with the beginning of their operations' names. */
export function vendorPaths(vendor: VendorName, acceptAliases: boolean) {
  const words = acceptAliases ? [vendor, ALIASES[vendor]] : [vendor];
  return words.map((word) => ({ path: `/proxy/${word}`, name: `proxy.${word}` }));
}
