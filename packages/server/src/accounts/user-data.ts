import type { Actor } from '../platform/http/actor.ts';

/** What another area keeps for users. Each function may be called again after a failure. */
export interface UserData {
  /** Throws 409 while the user cannot be deleted. */
  assertDeletable?(userId: string): Promise<void>;
  /** Ends what runs for a user who was banned. */
  stop?(userId: string): Promise<void>;
  delete(userId: string, by: Actor): Promise<void>;
}
