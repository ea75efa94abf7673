import { parseCookie, stringifySetCookie } from 'cookie';

import { hashCredential } from '../../platform/credential-hash.ts';
import { randomToken } from '../../platform/ids.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { findActorBySession } from '../actors.repo.ts';
import { deleteSession, insertSession } from './sessions.repo.ts';

const COOKIE = 'atelier_session';
const LINK_MS = 60 * 60_000;

interface Parts extends ServiceParts {
  readonly sessionSeconds: number;
  /** Behind TLS the cookie is never sent in plain text. */
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

  const begin = async ({ id, at }: { id: string; at: number }): Promise<string> => {
    const token = randomToken(32);
    const expiresAt = clock() + sessionSeconds * 1000;
    const session = { token_hash: hashCredential(token), user_id: id, created_at: at, expires_at: expiresAt };
    await insertSession(db, session);
    return cookie(token, sessionSeconds);
  };

  return {
    /** Returns the cookie. */
    begin,

    /** The user of the session. `at`: credentials that follow from it count from here. */
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

    /** The token of a link that signs in once: how the first administrator opens the console without typing a password. */
    async makeLink(userId: string): Promise<string> {
      const token = randomToken(32);
      const now = clock();
      await insertSession(db, {
        token_hash: linkHash(token),
        user_id: userId,
        created_at: now,
        expires_at: now + LINK_MS,
      });
      return token;
    },

    /** The cookie of a new session; `undefined` when the link was used or has expired. */
    async useLink(token: string): Promise<string | undefined> {
      const at = clock();
      const id = await deleteSession(db, linkHash(token), at);
      return id === undefined ? undefined : await begin({ id, at });
    },
  };
}

/** No hash of a cookie has this prefix. */
function linkHash(token: string): string {
  return `link:${hashCredential(token)}`;
}

export function sessionTokenIn(cookieHeader: string | undefined): string | undefined {
  return cookieHeader === undefined ? undefined : parseCookie(cookieHeader)[COOKIE] || undefined;
}
