import type { Transitions } from '../../platform/transitions.ts';

/**
 * Credits are held when work is accepted. Work that ends well settles the hold and the credits are gone;
 * work that fails returns them. Both happen once, whoever asks how often.
 */
export const HOLD_TRANSITIONS = {
  held: ['settled', 'returned'],
  settled: [],
  returned: [],
} as const satisfies Transitions<'held' | 'settled' | 'returned'>;
