import assert from 'node:assert/strict';
import { it } from 'node:test';

import { MIGRATIONS } from '../platform/db/migrations/index.ts';
import { layoutsOf } from '../platform/db/transfer/table-layouts.ts';
import { FILE_COLUMNS } from './named-files.ts';

/** Hashes of other things: secrets, requests, tags, announced files that may never arrive. */
const OTHER_HASHES = new Set([
  'api_keys.secret_hash',
  'device_sign_ins.device_code_hash',
  'device_sign_ins.user_code_hash',
  'job_keys.body_hash',
  'jobs.filter_hashes',
  'node_type_sets.hash',
  'publisher_tokens.token_hash',
  'sessions.token_hash',
  'sign_in_addresses.hash',
  'stored_uploads.announced_hash',
  'task_keys.body_hash',
  'users.password_hash',
  'worker_tokens.secret_hash',
]);

it('every column that names a stored file is known, so that backups have all files', async () => {
  const layouts = await layoutsOf(Object.keys(MIGRATIONS));
  const found = layouts.flatMap(({ name: table, columns }) =>
    columns.filter(({ name }) => /hash/.test(name)).map(({ name }) => `${table}.${name}`),
  );
  const known = FILE_COLUMNS.map(({ table, hash }) => `${table}.${hash}`);
  assert.deepEqual(found.filter((name) => !OTHER_HASHES.has(name)).toSorted(), known.toSorted());
});
