import type { ChangeWorkerToken, CreatedWorkerToken, NewWorkerToken, WorkerToken } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import { type Clock, toIso } from '../../platform/clock.ts';
import { hashCredential } from '../../platform/credential-hash.ts';
import type { Db } from '../../platform/db/database.ts';
import type { WorkerTokenRow } from '../../platform/db/schema/workers.ts';
import { AppError, invalid, notFound } from '../../platform/errors/app-error.ts';
import { type Actor, requireAdmin } from '../../platform/http/actor.ts';
import { assertOneLine } from '../../platform/http/one-line.ts';
import { newId, randomToken } from '../../platform/ids.ts';
import type { WorkerIdentity } from './connected-worker.ts';
import * as repo from './worker-tokens.repo.ts';

/** Distinguishes a worker token from an API key. */
const TOKEN_PREFIX = 'atelier_worker_';
/** The last use is written at most this often. */
const LAST_USE_MS = 60_000;

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  /** The names of the workers that this server started, by their tokens. */
  readonly ownTokens: ReadonlyMap<string, string>;
  readonly onChanged: (tokenId: string) => void;
}

export type WorkerTokensService = ReturnType<typeof createWorkerTokensService>;

export function createWorkerTokensService({ db, clock, ownTokens, onChanged }: Parts) {
  return {
    async create(actor: Actor, { name, labels }: NewWorkerToken): Promise<CreatedWorkerToken> {
      requireAdmin(actor);
      assertOneLine(name, 'The name of a worker token');
      const token = `${TOKEN_PREFIX}${randomToken(32)}`;
      const row: WorkerTokenRow = {
        id: newId(),
        name,
        labels: labels ? JSON.stringify(labels) : null,
        secret_hash: hashCredential(token),
        created_by: actor.userId,
        created_at: clock(),
        last_used_at: null,
      };
      await repo.insertToken(db, row);
      return { ...toWorkerToken(row), token };
    },

    async list(actor: Actor): Promise<WorkerToken[]> {
      requireAdmin(actor);
      return (await repo.listTokens(db)).map(toWorkerToken);
    },

    async change(actor: Actor, id: string, { name, labels }: ChangeWorkerToken): Promise<WorkerToken> {
      requireAdmin(actor);
      if (name !== undefined) assertOneLine(name, 'The name of a worker token');
      // Such as a body with unknown fields only.
      if (name === undefined && labels === undefined) throw invalid('Give a name or labels.');
      const row = await repo.changeToken(db, id, {
        ...present({ name }),
        ...(labels === undefined ? {} : { labels: labels && JSON.stringify(labels) }),
      });
      if (!row) throw notFound('worker token', id);
      onChanged(id);
      return toWorkerToken(row);
    },

    async revoke(actor: Actor, id: string): Promise<void> {
      requireAdmin(actor);
      if (!(await repo.deleteToken(db, id))) throw notFound('worker token', id);
      onChanged(id);
    },

    /** Whose token it is. Throws `auth.invalid`. */
    async identify(token: string): Promise<WorkerIdentity> {
      const own = ownTokens.get(token);
      if (own !== undefined) return { tokenId: own, labels: undefined, isOwn: true };
      const row = token.startsWith(TOKEN_PREFIX)
        ? await repo.findTokenBySecret(db, hashCredential(token))
        : undefined;
      if (!row) throw new AppError('auth.invalid', 'This is not a worker token, or it was revoked.');
      const now = clock();
      if (now - (row.last_used_at ?? 0) > LAST_USE_MS) {
        await repo.changeToken(db, row.id, { last_used_at: now });
      }
      return { tokenId: row.id, labels: labelsOf(row), isOwn: false };
    },

    /** The labels that each token allows, by its id; revoked tokens are missing. */
    async limits(): Promise<ReadonlyMap<string, readonly string[] | undefined>> {
      return new Map((await repo.listTokens(db)).map((row) => [row.id, labelsOf(row)]));
    },
  };
}

function labelsOf({ labels }: WorkerTokenRow): string[] | undefined {
  return labels === null ? undefined : (JSON.parse(labels) as string[]);
}

function toWorkerToken(row: WorkerTokenRow): WorkerToken {
  return {
    id: row.id,
    name: row.name,
    ...present({ labels: labelsOf(row) }),
    created_at: toIso(row.created_at),
    ...(row.last_used_at === null ? {} : { last_used_at: toIso(row.last_used_at) }),
  };
}
