import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { newName, newStudio, newToken, publish, tryPublish } from '../support/registry-publishing.ts';
import { onEachEngine } from '../support/servers.ts';

interface Token {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly createdAt: string;
  readonly token: string;
}

onEachEngine('publisher tokens', (server) => {
  test('[REG-37] [REG-38] a token is shown once; the list has its first four characters', async () => {
    const { id, owner, token: first } = await newStudio(server.current);
    const path = `/publishers/${id}/tokens`;
    const created = await owner.post<{ token: string }>(path, { name: 'ci', description: 'nightly' });
    assert.equal(created.status, 201);
    assert.deepEqual(Object.keys(created.body), ['token']);
    const { token } = created.body;
    assert.match(token, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);

    const { status, body } = await owner.get<Token[]>(path);
    assert.equal(status, 200);
    assert.deepEqual(
      body.map(({ name, description, token: shown }) => ({ name, description, shown })),
      [
        { name: 'made by a test', description: undefined, shown: `${first.slice(0, 4)}***` },
        { name: 'ci', description: 'nightly', shown: `${token.slice(0, 4)}***` },
      ],
    );
    for (const one of body) assert.equal(new Date(one.createdAt).toISOString(), one.createdAt);
    assert.equal('description' in (body[0] ?? {}), false);
  });

  test('[REG-37] the data folder does not hold the value of a token', async () => {
    const { token } = await newStudio(server.current);
    const folder = server.current.dataFolder;
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const content = await readFile(join(entry.parentPath, entry.name));
      assert.equal(content.includes(token), false, entry.name);
    }
    assert.equal(server.current.output().includes(token), false);
  });

  test('[REG-37] a token needs a name, of a publisher that exists', async () => {
    const { id, owner } = await newStudio(server.current);
    for (const body of [{}, { name: '' }, { name: 7 }, { name: 'x', description: [] }]) {
      const answer = await owner.post(`/publishers/${id}/tokens`, body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assertShape(answer.body, 'error');
    }
    assert.equal((await owner.post(`/publishers/${newName()}/tokens`, { name: 'x' })).status, 404);
    assert.equal((await owner.get(`/publishers/${newName()}/tokens`)).status, 404);
    assert.equal((await client(server.current.url).get(`/publishers/${id}/tokens`)).status, 401);
    assert.equal((await owner.get<Token[]>(`/publishers/${id}/tokens`)).body.length, 1);
  });

  test('[REG-39] a deleted token no longer publishes; the others do', async () => {
    const studio = await newStudio(server.current);
    const path = `/publishers/${studio.id}/tokens`;
    const kept = await newToken(studio.owner, studio.id);
    const [first] = (await studio.owner.get<Token[]>(path)).body;
    assert.equal((await studio.owner.delete(`${path}/${first?.id}`)).status, 204);
    assert.equal((await studio.owner.delete(`${path}/${first?.id}`)).status, 404);
    const pack = newName('pack');
    const { status, body } = await tryPublish(server.current, studio, pack);
    assert.equal(status, 400);
    assertShape(body, 'error');
    await publish(server.current, studio, pack, { token: kept });
  });

  test('[REG-39] the token of another publisher gets 404, and stays', async () => {
    const [one, other] = [await newStudio(server.current), await newStudio(server.current)];
    const [token] = (await other.owner.get<Token[]>(`/publishers/${other.id}/tokens`)).body;
    for (const id of [token?.id, 'nothing']) {
      const { status, body } = await one.owner.delete(`/publishers/${one.id}/tokens/${id}`);
      assert.equal(status, 404);
      assertShape(body, 'error');
    }
    await publish(server.current, other, newName('pack'));
  });

  test('[REG-40] a token is not a credential, and not good for another publisher', async () => {
    const [one, other] = [await newStudio(server.current), await newStudio(server.current)];
    for (const credential of [{ bearer: one.token }, { apiKey: one.token }]) {
      const caller = client(server.current.url, credential);
      assert.equal((await caller.get('/users')).status, 401);
      assert.equal((await caller.put(`/publishers/${one.id}`, { name: 'x' })).status, 401);
    }
    const pack = newName('pack');
    const { status, body } = await tryPublish(server.current, { id: other.id, token: one.token }, pack);
    assert.equal(status, 400);
    assertShape(body, 'error');
    assert.equal((await client(server.current.url).get(`/nodes/${pack}`)).status, 404);
  });
});
