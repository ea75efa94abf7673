import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SERVER_FEATURES } from '@atelier/contracts';
import { createCatalogue, defineNode, definePack, fileCombo, int, output } from '@atelier/engine';
import { type TemporaryFolder, temporaryFolder } from '@atelier/testing';

import { appWith } from '../../test/support/app-with.ts';
import { systemClock } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';
import { openSqlite } from '../platform/db/open-database.ts';
import type { Actor } from '../platform/http/actor.ts';
import type { App } from '../platform/http/route-config.ts';
import { createHost } from './create-host.ts';

const common = { title: '', category: 'test', outputs: [output('INT')], run: () => [0] as const };
const pack = definePack({
  name: 'tests',
  nodes: [
    defineNode({ ...common, type: 'Plain', inputs: { size: int() } }),
    defineNode({ ...common, type: 'One', inputs: { file: fileCombo({ folder: 'input' }) } }),
    defineNode({ ...common, type: 'Two', inputs: { file: fileCombo({ folder: 'input' }) } }),
  ],
});

interface Listed {
  readonly One: { readonly input: { readonly required: { readonly file: readonly [string[], object] } } };
}

describe('the host', () => {
  let folder: TemporaryFolder;
  let db: Db;
  let app: App;
  let lists: string[] = [];
  const actorFrom = (userId: string): Actor => ({ userId, email: '', name: '', role: 'user' });

  before(async () => {
    folder = await temporaryFolder();
    db = await openSqlite(join(folder.path, 'atelier.sqlite'));
    const host = createHost({
      db,
      installation: 'here',
      clock: systemClock,
      nodeTypes: async () => createCatalogue([pack]),
      models: () => ({}),
      filesOf: (userId) => ({
        list: async (name) => {
          lists.push(`${userId} ${name}`);
          return [`${userId}.png`];
        },
      }),
      listFiles: async (userId, name) => [`${userId} new in ${name}.png`, `${userId} old.png`],
      lastOutputs: async () => new Map(),
      findPeople: async () => [],
      limitOf: async (userId) => userId.length,
      countsOf: async (userId) => ({ waiting: userId.length * 2, running: 1 }),
      storageOf: async (userId) => ({ files: 3, bytes: userId.length * 1000 }),
      assetUse: async () => [],
      storageBytes: 10_000,
      hasEditor: () => false,
      features: { ...SERVER_FEATURES, max_upload_size: 1000 },
      maxUserDataBytes: 10_000,
      examplesFolder: '/nowhere',
    });
    app = await appWith(host.routes, actorFrom);
  });
  after(async () => {
    await app.close();
    await db.destroy();
    await folder[Symbol.asyncDispose]();
  });

  const get = async <Body>(user: string, url: string): Promise<Body> => {
    const answer = await app.inject({ url, headers: { 'x-user': user } });
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json<Body>();
  };

  test('[HOST-23] offers each caller the files that are its own', async () => {
    for (const user of ['ann', 'bob', 'ann']) {
      for (const url of ['/object_info', '/api/object_info', '/object_info/One', '/api/object_info/One']) {
        const { One: one } = await get<Listed>(user, url);
        assert.deepEqual(one.input.required.file[0], [`${user}.png`]);
      }
    }
  });

  test('looks once into a folder for all node types', async () => {
    lists = [];
    assert.deepEqual(Object.keys(await get<Listed>('ann', '/object_info')), ['Plain', 'One', 'Two']);
    assert.deepEqual(lists, ['ann input']);
  });

  test('[HOST-24] lists the files of a folder with its name behind each', async () => {
    for (const url of ['/internal/files/output', '/api/internal/files/output']) {
      assert.deepEqual(await get('ann', url), ['ann new in output.png [output]', 'ann old.png [output]']);
    }
    const { statusCode } = await app.inject({ url: '/internal/files/etc', headers: { 'x-user': 'ann' } });
    assert.equal(statusCode, 400);
  });

  test('[HOST-22] tells what the caller uses and may use', async () => {
    assert.deepEqual(await get('ann', '/api/usage'), {
      storage: { used_bytes: 3000, quota_bytes: 10_000, files: 3 },
      jobs: { waiting: 6, running: 1, max_running: 3 },
    });
    const features = await get<{ max_concurrent_jobs: number }>('hannah', '/api/features');
    assert.equal(features.max_concurrent_jobs, 6);
  });
});
