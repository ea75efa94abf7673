import type { Readable } from 'node:stream';

import { type Audit, userSubject } from '../platform/audit/audit.service.ts';
import type { Db } from '../platform/db/database.ts';
import {
  type ExportedFile,
  type ExportUser,
  jsonFile,
  jsonLines,
  pagesOf,
} from '../platform/export/exported-file.ts';
import { writeArchive } from '../platform/export/write-archive.ts';
import type { Actor } from '../platform/http/actor.ts';
import type { AccountsService } from './accounts.service.ts';
import type { ApiKeysService } from './credentials/api-keys.service.ts';
import type { Credits } from './credits/credits.service.ts';

const BATCH_SIZE = 500;

interface Parts {
  readonly db: Db;
  readonly audit: Pick<Audit, 'add'>;
  readonly accounts: Pick<AccountsService, 'read'>;
  readonly apiKeys: Pick<ApiKeysService, 'list'>;
  readonly credits: Pick<Credits, 'ledger'>;
  /** Of the other areas. */
  readonly exporters: readonly ExportUser[];
}

export type ExportAccount = ReturnType<typeof createExportAccount>;

/** All data of a user as an archive, without secrets. */
export function createExportAccount({ db, audit, accounts, apiKeys, credits, exporters }: Parts) {
  async function* filesOf(actor: Actor, userId: string): AsyncGenerator<ExportedFile> {
    yield jsonFile('account.json', await accounts.read(actor, userId));
    yield jsonFile('api-keys.json', await apiKeys.list(userId));
    yield jsonLines('credits.jsonl', () =>
      pagesOf<Awaited<ReturnType<Credits['ledger']>>['entries'][number]>(
        async (last) => (await credits.ledger(db, userId, { before: last?.id, limit: BATCH_SIZE })).entries,
      ),
    );
    for (const exportUser of exporters) yield* exportUser(userId);
  }

  return async (actor: Actor, userId: string): Promise<Readable> => {
    // 404 and 403 before the archive begins.
    await accounts.read(actor, userId);
    await audit.add(db, actor, 'user.export', userSubject(userId));
    return writeArchive(filesOf(actor, userId));
  };
}
