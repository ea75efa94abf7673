import { parseScopes } from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';

import { hashCredential } from '../platform/credential-hash.ts';
import { AppError } from '../platform/errors/app-error.ts';
import type { Actor } from '../platform/http/actor.ts';
import { hasScope, needOf, requireOperatorRoute, requireScope } from '../platform/http/scopes.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import { type ActorRow, findActor, findActorByKey, findActorBySession } from './actors.repo.ts';
import { KEY_PREFIX } from './credentials/api-keys.service.ts';
import { OPERATOR_PREFIX, type OperatorTokens } from './credentials/operator-tokens.ts';
import type { Tokens } from './credentials/tokens.service.ts';
import type { OutsideIssuer } from './sign-in/outside-issuer.ts';
import { isOwnPage, ownUrl } from './sign-in/own-page.ts';
import { sessionTokenIn } from './sign-in/sessions.service.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

interface Parts extends ServiceParts {
  readonly tokens: Tokens;
  readonly operatorTokens: OperatorTokens;
  readonly outsideIssuer: OutsideIssuer | undefined;
  readonly publicUrl: string | undefined;
  /** Whose unfinished job has this credential; `undefined` for anything else. */
  readonly ownerOfJobCredential: (credential: string) => Promise<string | undefined>;
}

export function createAuthenticator(parts: Parts) {
  const { db, clock, tokens, operatorTokens, outsideIssuer, publicUrl, ownerOfJobCredential } = parts;
  const byToken = async (token: string): Promise<ActorRow | undefined> => {
    if (outsideIssuer?.issued(token)) return await outsideIssuer.verify(token);
    const claims = await tokens.verify(token);
    if (!claims) return undefined;
    const actor = await findActor(db, claims.userId);
    return actor && claims.issuedAt >= actor.credentials_since ? actor : undefined;
  };

  const recognize = async (credential: string): Promise<Actor> => {
    const row = credential.startsWith(KEY_PREFIX)
      ? await findActorByKey(db, hashCredential(credential))
      : await byToken(credential);
    if (!row) {
      throw new AppError(
        'auth.invalid',
        'The credential is not valid: it is wrong, expired, revoked or not meant for this server.',
      );
    }
    return toActor(row);
  };

  const byJob = async (credential: string): Promise<Actor | undefined> => {
    const userId = await ownerOfJobCredential(credential);
    const row = userId === undefined ? undefined : await findActor(db, userId);
    return row && toActor(row);
  };

  const bySession = async (request: FastifyRequest): Promise<Actor | undefined> => {
    const token = sessionTokenIn(request.headers.cookie);
    if (token === undefined) return undefined;
    const row = await findActorBySession(db, hashCredential(token), clock());
    if (!row) throw new AppError('auth.invalid', 'The session has ended. Sign in again.');
    if (!READING.has(request.method)) requireOwnOrigin(request, publicUrl);
    return toActor(row);
  };

  return {
    /** The owner of an API key and its scopes; `undefined` for anything else. */
    async ownerOfKey(key: string): Promise<Pick<Actor, 'userId' | 'scopes'> | undefined> {
      const row = await findActorByKey(db, hashCredential(key));
      return row && { userId: row.id, ...scopesOf(row) };
    },
    /** The caller, if it shows a valid credential with the scope of the route. */
    async identify(request: FastifyRequest): Promise<Actor | undefined> {
      try {
        const credential = credentialIn(request, publicUrl);
        const actor = await (credential === undefined ? bySession(request) : recognize(credential));
        const isLimited = actor?.scopes && !hasScope(actor, needOf(request.routeOptions));
        return isLimited ? undefined : actor;
      } catch (error) {
        if (error instanceof AppError && error.code === 'auth.invalid') return undefined;
        throw error;
      }
    },
    /** The caller, by token or key (also in the query where the route allows it) or by session cookie. Otherwise 401 or 403. */
    async authenticate(request: FastifyRequest): Promise<Actor> {
      const credential = credentialIn(request, publicUrl);
      if (credential?.startsWith(OPERATOR_PREFIX)) {
        const operator = await operatorTokens.verify(credential);
        requireOperatorRoute(request.routeOptions);
        return operator;
      }
      if (credential !== undefined) {
        const submitter = request.routeOptions.config.jobCredential ? await byJob(credential) : undefined;
        const actor = submitter ?? (await recognize(credential));
        if (actor.scopes) requireScope(actor, needOf(request.routeOptions));
        return actor;
      }
      const actor = await bySession(request);
      if (actor) return actor;
      throw new AppError(
        'auth.required',
        'This needs a credential: "Authorization: Bearer <token>" or "X-API-Key: <key>".',
      );
    },
  };
}

function credentialIn(request: FastifyRequest, publicUrl: string | undefined): string | undefined {
  const { headers, routeOptions } = request;
  const token = routeOptions.config.tokenInQuery ? tokenIn(request) : undefined;
  if (token !== undefined) return token;
  const key = headers['x-api-key'];
  if (typeof key === 'string') return key;
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const bearer = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return bearer;
  const basic = /^basic +(\S+) *$/i.exec(authorization)?.[1];
  if (basic === undefined) {
    throw new AppError('auth.invalid', 'The Authorization header must have the form "Bearer <token>".');
  }
  refuseForeignPage(request, publicUrl);
  return keyInBasic(basic);
}

/** The password, or the user name where the key is sent as that. */
function keyInBasic(encoded: string): string {
  const [, user = '', password = ''] =
    /^([^:]*):?(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return password || user;
}

/** Browsers send remembered Basic credentials with requests of any site, like cookies. */
function refuseForeignPage(request: FastifyRequest, publicUrl: string | undefined): void {
  if (request.headers.origin === undefined || isOwnPage(request, publicUrl)) return;
  throw new AppError(
    'auth.origin',
    'Pages of other sites send the key as X-API-Key, not in Basic credentials.',
  );
}

function tokenIn({ query }: FastifyRequest): string | undefined {
  const { token } = query as Readonly<Record<string, unknown>>;
  return typeof token === 'string' && token !== '' ? token : undefined;
}

/** A page of another site can make a browser send the cookie, but cannot forge the origin. */
function requireOwnOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  if (request.headers.origin === ownUrl(request, publicUrl)) return;
  throw new AppError(
    'auth.origin',
    'A change made with the session cookie must come from this server itself (Origin header).',
  );
}

function toActor(row: ActorRow): Actor {
  if (row.status === 'banned') throw new AppError('auth.banned', 'This account is banned.');
  const limits = scopesOf(row);
  const role = limits.scopes?.includes('admin') === false ? 'user' : row.role;
  return { userId: row.id, email: row.email, name: row.name, role, ...limits };
}

function scopesOf({ scopes }: ActorRow): Pick<Actor, 'scopes'> {
  return scopes == null ? {} : { scopes: parseScopes(scopes) };
}
