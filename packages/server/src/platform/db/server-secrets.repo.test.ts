import assert from 'node:assert/strict';
import { it } from 'node:test';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { serverSecret } from './server-secrets.repo.ts';

onEachDatabase('server secrets', (db) => {
  it('are created once, even if ten servers need one at the same time', async () => {
    const asked = await Promise.all(
      Array.from({ length: 10 }, async () => await serverSecret(db(), 'operators', 1)),
    );
    const values = new Set(asked.map((secret) => Buffer.from(secret.reveal()).toString('hex')));
    assert.equal(values.size, 1);
    assert.equal([...values][0]?.length, 64);
  });

  it('differ by name', async () => {
    const [one, two] = await Promise.all(
      (['file-links', 'storage-links'] as const).map(async (name) => await serverSecret(db(), name, 1)),
    );
    assert.notDeepEqual(one?.reveal(), two?.reveal());
  });
});
