import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@atelier/testing';

import { makePack } from '../../../../inspection/src/test/make-pack.ts';
import { aPublisher } from '../../../test/support/a-pack.ts';
import { appWith } from '../../../test/support/app-with.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { createAudit } from '../../platform/audit/audit.service.ts';
import type { Db } from '../../platform/db/database.ts';
import { createLocalFileStore } from '../../platform/files/local-file-store.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { Secret } from '../../platform/secret.ts';
import { createRegistry } from '../create-registry.ts';

const PUBLISHED = Date.UTC(2026, 0, 1);
const LIFE_MS = 15 * 60_000;
const ORIGIN = 'http://127.0.0.1:1';
const ADMIN: Actor = { userId: 'admin', email: 'admin@example.org', name: 'Admin', role: 'admin' };

/** A registry with a manual clock, behind HTTP but without a network. */
async function openRegistry(db: Db) {
  let now = PUBLISHED;
  const folder = await temporaryFolder();
  const noLinks = { sign: () => assert.fail('nobody asks for a link') };
  const registry = createRegistry({
    db,
    clock: () => now,
    audit: createAudit({ db, clock: () => now }),
    files: await createLocalFileStore({ folder: join(folder.path, 'files'), signer: noLinks }),
    directory: { findByEmail: async () => undefined, lock: async () => {}, findByIds: async () => [] },
    uploadKey: new Secret(new Uint8Array(32)),
    baseUrl: () => ORIGIN,
    maxArchiveBytes: 1_000_000,
    onError: (error) => assert.fail(String(error)),
  });
  const app = await appWith(registry.routes, () => ADMIN);
  const publisherId = await aPublisher(db);
  const nodeId = `pack-of-${publisherId}`;
  const made = await app.inject({
    method: 'POST',
    url: `/publishers/${publisherId}/tokens`,
    body: { name: 'test' },
  });
  const { token } = made.json<{ token: string }>();

  return {
    /** Publishes a version and returns the upload link, without the origin. */
    async publish(version: string): Promise<string> {
      now = PUBLISHED;
      const answer = await app.inject({
        method: 'POST',
        url: `/publishers/${publisherId}/nodes/${nodeId}/versions`,
        body: { personal_access_token: token, node: {}, node_version: { version } },
      });
      assert.equal(answer.statusCode, 201, answer.body);
      return answer.json<{ signedUrl: string }>().signedUrl.slice(ORIGIN.length);
    },
    async uploadAfter(url: string, waitedMs: number) {
      now = PUBLISHED + waitedMs;
      const answer = await app.inject({
        method: 'PUT',
        url,
        headers: { 'content-type': 'application/zip' },
        body: await makePack({ '__init__.py': 'NODE_CLASS_MAPPINGS = {}\n' }),
      });
      const { error, message } = answer.json<{ error?: string; message?: string }>();
      return { status: answer.statusCode, error, message };
    },
    waiting: async () =>
      (await app.inject(`/nodes/${nodeId}/versions?statuses=NodeVersionStatusPending`)).json<
        { version: string; downloadUrl?: string }[]
      >(),
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await registry.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

onEachDatabase('an upload link', (db) => {
  test('[REG-60] takes the archive until fifteen minutes have passed', async () => {
    await using registry = await openRegistry(db());
    assert.equal((await registry.uploadAfter(await registry.publish('1.0.0'), 0)).status, 200);
    assert.equal((await registry.uploadAfter(await registry.publish('1.0.1'), LIFE_MS - 1)).status, 200);
  });

  test('[REG-60] gets 403 and a sentence once they have, and leaves the version waiting', async () => {
    await using registry = await openRegistry(db());
    const url = await registry.publish('1.0.0');
    for (const waited of [LIFE_MS, LIFE_MS + 1, 24 * 60 * 60_000]) {
      const { status, error, message } = await registry.uploadAfter(url, waited);
      assert.equal(status, 403, String(waited));
      assert.equal(error, 'registry.upload_link');
      assert.match(message ?? '', /expired/);
    }
    const [waiting, ...others] = await registry.waiting();
    assert.deepEqual(others, []);
    assert.equal(waiting?.version, '1.0.0');
    assert.equal('downloadUrl' in waiting, false);
  });

  test('[REG-60] cannot be made to live longer', async () => {
    await using registry = await openRegistry(db());
    const url = await registry.publish('1.0.0');
    const longer = url.replace(/expires=(\d+)/, (_, expires: string) => `expires=${Number(expires) + 900}`);
    assert.notEqual(longer, url);
    const { status, message } = await registry.uploadAfter(longer, LIFE_MS + 1);
    assert.equal(status, 403);
    assert.match(message ?? '', /altered/);
  });
});
