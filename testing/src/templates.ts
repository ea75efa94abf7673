import { copyFile } from 'node:fs/promises';

import { createPostgresDatabase, type TestDatabase } from './postgres.ts';

const POSTGRES = 'ATELIER_TEST_POSTGRES_TEMPLATE';
const SQLITE = 'ATELIER_TEST_SQLITE_TEMPLATE';

/** Makes migrated databases known to the test files that a runner is about to start. */
export function templateEnvironment(templates: {
  readonly postgres: string;
  readonly sqlite: string;
}): Record<string, string> {
  return { [POSTGRES]: new URL(templates.postgres).pathname.slice(1), [SQLITE]: templates.sqlite };
}

/** A copy of the runner's migrated database. Empty without a runner; opening it migrates it. */
export async function clonePostgresTemplate(): Promise<TestDatabase> {
  return await createPostgresDatabase(process.env[POSTGRES]);
}

/** Puts a copy of the runner's migrated file at `file`. Puts nothing there without a runner. */
export async function cloneSqliteTemplate(file: string): Promise<void> {
  const template = process.env[SQLITE];
  if (template !== undefined) await copyFile(template, file);
}
