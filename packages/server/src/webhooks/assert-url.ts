import { AppError } from '../platform/errors/app-error.ts';
import type { Outbound } from '../platform/net/outbound.ts';
import { OutboundError, type OutboundReason } from '../platform/net/outbound-error.ts';

/** What will not change by waiting. A name that is not found now may be later, and is checked at every try. */
const FINAL: ReadonlySet<OutboundReason> = new Set(['url', 'scheme', 'address']);

/** Refuses an address that no delivery may go to, in a sentence that names the field. */
export async function assertUrl(outbound: Outbound, url: string, field: string): Promise<void> {
  try {
    await outbound.check(url, { protocols: ['http:', 'https:'] });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (!FINAL.has(error.reason)) return;
    throw new AppError('request.invalid', `${field} cannot be used: ${error.message}`, { cause: error });
  }
}
