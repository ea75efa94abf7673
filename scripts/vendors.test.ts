import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { type TaskKind, VENDOR_NAMES, VENDORS, vendorOf } from '@atelier/contracts';

import { ROOT } from './run-command.ts';

/** Besides the files of each vendor, which have its name in theirs. */
const ALLOWED = new Set([
  'packages/contracts/src/vendors.ts',
  'packages/contracts/src/proxy.ts',
  'packages/contracts/src/proxy-answers.ts',
  'packages/contracts/src/proxy-words.ts',
  // Made from the schemas, and the routes for those who have no table.
  'packages/sdk/src/wire.ts',
  'packages/sdk/src/generation-routes.ts',
  'packages/sdk/src/generation-fields.ts',
  'packages/sdk/src/generation-price.ts',
  'packages/server/src/proxy/vendors/all-vendors.ts',
]);

it('names of vendors stand in their table, their schemas and their own files only', () => {
  const words = VENDOR_NAMES.flatMap((name) => [name, VENDORS[name].alias]);
  const pattern = new RegExp(words.join('|'));
  const own = VENDOR_NAMES.map((name) => VENDORS[name].setting.toLowerCase());
  const isOwnFile = new RegExp(`^packages/server/src/proxy/vendors/[\\w-]*(${own.join('|')})[\\w-]*\\.ts$`);
  const sources = globSync('packages/*/src/**/*.ts', { cwd: ROOT }).filter(
    (file) => !/\.test\.ts$|\/test\//.test(file),
  );
  assert.ok(sources.length > 100, 'the sources were not found');
  const named = sources.filter((file) => pattern.test(readFileSync(join(ROOT, file), 'utf8')));
  const others = named.filter((file) => !ALLOWED.has(file) && !isOwnFile.test(file));
  assert.deepEqual(others, []);
});

it('every route and kind belongs to one vendor, and says where its tasks are read', () => {
  const keys: string[] = [];
  for (const vendor of VENDOR_NAMES) {
    const { creates, reads } = VENDORS[vendor];
    for (const [key, { kind, read }] of Object.entries<{ kind: TaskKind; read: string }>(creates)) {
      keys.push(key);
      assert.equal(vendorOf(kind), vendor, key);
      assert.ok(Object.hasOwn(reads, read), key);
    }
  }
  assert.equal(new Set(keys).size, keys.length, 'keys of routes are unique');
});
