import { hashCredential } from '../../platform/credential-hash.ts';
import { randomToken } from '../../platform/ids.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { insertSession, takeSession } from './sessions.repo.ts';
import type { Sessions } from './sessions.service.ts';

const LINK_MS = 60 * 60_000;

interface Parts extends ServiceParts {
  readonly sessions: Sessions;
}

/** Links that sign one person in, once: how the first administrator gets into the console without typing a password. */
export function createSignInLinks({ db, clock, sessions }: Parts) {
  // No hash of a cookie begins so.
  const hashOf = (token: string) => `link:${hashCredential(token)}`;
  return {
    async make(userId: string): Promise<string> {
      const token = randomToken(32);
      const now = clock();
      await insertSession(db, {
        token_hash: hashOf(token),
        user_id: userId,
        created_at: now,
        expires_at: now + LINK_MS,
      });
      return token;
    },
    /** The cookie of a new session; `undefined` when the link was used or is too old. */
    async use(token: string): Promise<string | undefined> {
      const at = clock();
      const id = await takeSession(db, hashOf(token), at);
      return id === undefined ? undefined : await sessions.begin({ id, at });
    },
  };
}

export type SignInLinks = ReturnType<typeof createSignInLinks>;
