import { randomUUID } from 'node:crypto';

import type { PublisherToken } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import { toIso } from '../../platform/clock.ts';
import { hashCredential } from '../../platform/credential-hash.ts';
import { withTransaction } from '../../platform/db/database.ts';
import { AppError, notFound } from '../../platform/errors/app-error.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { assertOneLine } from '../../platform/http/one-line.ts';
import { newId } from '../../platform/ids.ts';
import { type CommonParts, publisherSubject } from '../common-parts.ts';
import { ownedPublisher } from '../permissions.ts';
import * as repo from './publisher-tokens.repo.ts';

const PREFIX_LENGTH = 4;

export type PublisherTokensService = ReturnType<typeof createPublisherTokensService>;

/** Personal access tokens: they belong to a publisher and are good for publishing only. */
export function createPublisherTokensService({ db, clock, audit }: CommonParts) {
  return {
    /** The value is only in this answer. */
    async create(actor: Actor, publisherId: string, wanted: { name: string; description?: string }) {
      assertOneLine(wanted.name, 'The name of a token');
      await ownedPublisher(db, actor, publisherId);
      const token = randomUUID();
      const id = newId();
      await withTransaction(db, async (tx) => {
        await repo.insertToken(tx, {
          id,
          publisher_id: publisherId,
          name: wanted.name,
          description: wanted.description ?? null,
          token_prefix: token.slice(0, PREFIX_LENGTH),
          token_hash: hashCredential(token),
          created_at: clock(),
        });
        const details = { tokenId: id, name: wanted.name };
        await audit.add(tx, actor, 'token.create', publisherSubject(publisherId), details);
      });
      return token;
    },

    async list(actor: Actor, publisherId: string): Promise<PublisherToken[]> {
      await ownedPublisher(db, actor, publisherId);
      const rows = await repo.listTokens(db, publisherId);
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        ...present({ description: row.description }),
        createdAt: toIso(row.created_at),
        token: `${row.token_prefix}***`,
      }));
    },

    async remove(actor: Actor, publisherId: string, tokenId: string): Promise<void> {
      await ownedPublisher(db, actor, publisherId);
      await withTransaction(db, async (tx) => {
        if (!(await repo.deleteToken(tx, publisherId, tokenId))) throw notFound('token', tokenId);
        await audit.add(tx, actor, 'token.delete', publisherSubject(publisherId), { tokenId });
      });
    },

    /** The id of the token. 400 unless the publisher owns it. */
    async verify(publisherId: string, token: string): Promise<string> {
      const row = await repo.findTokenByHash(db, hashCredential(token));
      if (row?.publisher_id === publisherId) return row.id;
      throw new AppError(
        'registry.token_invalid',
        row
          ? `The personal access token belongs to another publisher than "${publisherId}".`
          : 'The personal access token is not known here: it is mistyped, deleted or of another registry.',
      );
    },
  };
}
