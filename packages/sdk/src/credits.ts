import { createList, type List } from './http/list.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type { CreditEntry, CreditLedger } from './wire.ts';

/** Credits, which pay for generation. */
export function createCredits(transport: Transport) {
  return {
    /** Your current balance. */
    async balance(options: CallOptions = {}): Promise<number> {
      const ledger = await transport.get('CreditLedger', '/customers/credits', {
        ...options,
        query: { limit: 1 },
      });
      return ledger.balance;
    },
    /** Every change of the balance, newest first. */
    list(options: CallOptions = {}): List<CreditEntry, CreditLedger> {
      return createList<CreditEntry, CreditLedger, number>({
        load: async (before) =>
          await transport.get('CreditLedger', '/customers/credits', {
            ...options,
            query: { before, limit: 100 },
          }),
        items: ({ entries }) => entries,
        next: ({ next_before }) => next_before,
      });
    },
  };
}
