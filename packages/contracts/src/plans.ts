import { oneOf } from './fields.ts';

const TIERS = ['free', 'standard', 'creator', 'pro', 'team'] as const;
export const Tier = oneOf(TIERS);
export type Tier = (typeof TIERS)[number];

/** How many jobs of one user run at once. */
export const CONCURRENT_JOBS: Readonly<Record<Tier, number>> = {
  free: 0,
  standard: 1,
  creator: 3,
  pro: 5,
  team: 25,
};
