import { join } from 'node:path';
import {
  createPostgresDatabase,
  postgresEnvironment,
  type RunningPostgres,
  templateEnvironment,
  temporaryFolder,
} from '@atelier/testing';

import { openPostgres, openSqlite } from '../packages/server/src/platform/db/open-database.ts';
import { Secret } from '../packages/server/src/platform/secret.ts';

interface Templates extends AsyncDisposable {
  /** Makes PostgreSQL and the templates known to the test files. */
  readonly environment: Readonly<Record<string, string>>;
}

/** One migrated, empty database of each kind. Test files copy them instead of migrating their own. */
export async function createTemplates(postgres: RunningPostgres): Promise<Templates> {
  const shared = postgresEnvironment(postgres);
  Object.assign(process.env, shared);
  const { url } = await createPostgresDatabase();
  const inPostgres = await openPostgres({ url: new Secret(url), poolSize: 1, onLost: () => {} });
  await inPostgres.destroy();

  const folder = await temporaryFolder();
  const file = join(folder.path, 'atelier.sqlite');
  const inSqlite = await openSqlite(file);
  await inSqlite.destroy();
  return {
    environment: { ...shared, ...templateEnvironment({ postgres: url, sqlite: file }) },
    [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose](),
  };
}
