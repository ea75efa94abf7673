import type { Transitions } from '../../platform/transitions.ts';

/** Credits are held when work is accepted. Success settles the hold, failure returns the credits. Either happens once. */
export const HOLD_TRANSITIONS = {
  held: ['settled', 'returned'],
  settled: [],
  returned: [],
} as const satisfies Transitions<'held' | 'settled' | 'returned'>;
