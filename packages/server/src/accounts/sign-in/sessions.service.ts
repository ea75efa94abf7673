import { parseCookie, stringifySetCookie } from 'cookie';

import { hashCredential } from '../../platform/credential-hash.ts';
import { randomToken } from '../../platform/ids.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { findActorBySession } from '../actors.repo.ts';
import { deleteSession, insertSession } from './sessions.repo.ts';

const COOKIE = 'atelier_session';

interface Parts extends ServiceParts {
  readonly sessionSeconds: number;
  /** Behind TLS the cookie never travels in clear. */
  readonly isSecure: boolean;
  readonly onRevoked: (userId: string) => void;
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ db, clock, sessionSeconds, isSecure, onRevoked }: Parts) {
  const cookie = (value: string, maxAge: number): string =>
    stringifySetCookie({
      name: COOKIE,
      value,
      httpOnly: true,
      sameSite: 'strict',
      path: '/',
      secure: isSecure,
      maxAge,
    });

  return {
    async begin({ id, at }: { id: string; at: number }): Promise<string> {
      const token = randomToken(32);
      await insertSession(db, {
        token_hash: hashCredential(token),
        user_id: id,
        created_at: at,
        expires_at: clock() + sessionSeconds * 1000,
      });
      return cookie(token, sessionSeconds);
    },

    /** Whose session the cookie carries, and since when credentials that follow from it are good. */
    async find(cookieHeader: string | undefined) {
      const token = sessionTokenIn(cookieHeader);
      const at = clock();
      const actor = token && (await findActorBySession(db, hashCredential(token), at));
      return actor && actor.status === 'active' ? { ...actor, at } : undefined;
    },

    async end(cookieHeader: string | undefined): Promise<string> {
      const token = sessionTokenIn(cookieHeader);
      const userId = token === undefined ? undefined : await deleteSession(db, hashCredential(token));
      if (userId !== undefined) onRevoked(userId);
      return cookie('', 0);
    },
  };
}

export function sessionTokenIn(cookieHeader: string | undefined): string | undefined {
  return cookieHeader === undefined ? undefined : parseCookie(cookieHeader)[COOKIE] || undefined;
}
