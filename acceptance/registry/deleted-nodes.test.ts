import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import { cleanPack } from '../support/registry-archives.ts';
import {
  allVersions,
  newName,
  newStudio,
  publish,
  publishActive,
  publishFlagged,
  type Studio,
  tryPublish,
  upload,
} from '../support/registry-publishing.ts';
import { type PackNode, STATUS } from '../support/registry-wire.ts';
import { onEachEngine } from '../support/servers.ts';

onEachEngine('deleted nodes', (server) => {
  let studio: Studio;
  before(async () => {
    studio = await newStudio(server.current);
  });
  const anyone = () => client(server.current.url);
  const root = () => admin(server.current);
  const remove = async (id: string) =>
    assert.equal((await studio.owner.delete(`/publishers/${studio.id}/nodes/${id}`)).status, 204);
  const statuses = async (id: string) =>
    Object.fromEntries(
      (await allVersions(server.current, id)).map(({ version, status }) => [version, status]),
    );

  test('[REG-146] a node that is published again has none of its old versions, and their numbers stay used', async () => {
    const id = newName('pack');
    await publishActive(server.current, studio, id, { version: '1.0.0', innerNodes: [`Node${id}`] });
    const { downloadUrl = '' } = await publishActive(server.current, studio, id, { version: '3.0.0' });
    await publishFlagged(server.current, studio, id, { version: '3.5.0' });
    const { signedUrl } = await publish(server.current, studio, id, { version: '4.0.0' });
    await remove(id);

    const late = await upload(server.current, signedUrl, cleanPack());
    assert.equal(late.status, 404);
    await publish(server.current, studio, id, { version: '5.0.0' });
    assert.deepEqual(await statuses(id), {
      '5.0.0': STATUS.pending,
      '4.0.0': STATUS.deleted,
      '3.5.0': STATUS.deleted,
      '3.0.0': STATUS.deleted,
      '1.0.0': STATUS.deleted,
    });
    assert.equal((await upload(server.current, signedUrl, cleanPack())).status, 409);
    const { body: node } = await anyone().get<PackNode>(`/nodes/${id}`);
    assert.equal('latest_version' in node, false);
    for (const path of [
      `/nodes/${id}/install`,
      `/nodes/${id}/install?version=3.0.0`,
      `/nodes/${id}/install?version=3.5.0`,
      `/nodes/${id}/versions/3.0.0`,
      new URL(downloadUrl).pathname,
    ]) {
      assert.equal((await anyone().get(path)).status, 404, path);
    }
    for (const version of ['1.0.0', '3.0.0', '3.5.0', '4.0.0']) {
      assert.equal((await tryPublish(server.current, studio, id, { version })).status, 400, version);
    }
  });

  test('[REG-146] a node that an administrator deletes and gives back has none of its old versions', async () => {
    const id = newName('pack');
    await publishActive(server.current, studio, id);
    await root().put(`/admin/nodes/${id}`, { status: 'NodeStatusDeleted' });
    await root().put(`/admin/nodes/${id}`, { status: 'NodeStatusActive' });
    assert.deepEqual(await statuses(id), { '1.0.0': STATUS.deleted });
    assert.equal('latest_version' in (await anyone().get(`/nodes/${id}`)).body, false);
  });

  test('[REG-146] a ban of a version outlives the deletion of its node', async () => {
    const id = newName('pack');
    await publishActive(server.current, studio, id);
    await root().put(`/admin/nodes/${id}/versions/1.0.0`, { status: STATUS.banned });
    await remove(id);
    await publish(server.current, studio, id, { version: '1.0.1' });
    assert.equal((await statuses(id))['1.0.0'], STATUS.banned);
    assert.equal((await anyone().get(`/nodes/${id}/install?version=1.0.0`)).status, 403);
  });

  test('[REG-41] [REG-46] [REG-146] a publisher creates its own deleted node again, and it starts anew', async () => {
    const id = newName('Pack');
    await publishActive(server.current, studio, id, {
      node: { name: 'Old', description: 'Old.', tags: ['old'], repository: 'https://example.org/old' },
    });
    await studio.owner.post(`/nodes/${id}/translations`, { data: { fr: { name: 'Vieux' } } });
    await anyone().get(`/nodes/${id}/install`);
    await root().put(`/admin/nodes/${id}`, { tags_admin: ['watched'] });
    await remove(id);

    const stranger = await newStudio(server.current);
    const foreign = await stranger.owner.post(`/publishers/${stranger.id}/nodes`, { id });
    assert.equal(foreign.status, 400);
    assertShape(foreign.body, 'error');

    const wanted = { id: id.toLowerCase(), description: 'New.' };
    const { status, body } = await studio.owner.post<PackNode>(`/publishers/${studio.id}/nodes`, wanted);
    assert.equal(status, 201);
    assert.equal(body.id, id);
    assert.equal(body.name, id);
    assert.equal(body.description, 'New.');
    assert.deepEqual(body.tags_admin, ['watched']);
    for (const field of ['tags', 'repository', 'latest_version']) assert.equal(field in body, false, field);
    const { body: read } = await anyone().get<PackNode>(`/nodes/${id}?include_translations=true`);
    assert.deepEqual(read.translations, {});
    assert.equal((await studio.owner.post(`/publishers/${studio.id}/nodes`, wanted)).status, 400);
    await publishActive(server.current, studio, id, { version: '2.0.0' });
  });

  test('[REG-146] of a publish and the deletion of the node at once, none brings old versions back', async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = newName('pack');
      const { signedUrl } = await publish(server.current, studio, id);
      const [published, uploaded, removed] = await Promise.all([
        tryPublish(server.current, studio, id, { version: '2.0.0' }),
        upload(server.current, signedUrl, cleanPack()),
        studio.owner.delete(`/publishers/${studio.id}/nodes/${id}`),
      ]);
      assert.equal(published.status, 201);
      assert.equal(removed.status, 204);
      assert.ok([200, 404, 409].includes(uploaded.status), String(uploaded.status));
      await publish(server.current, studio, id, { version: '3.0.0' });
      assert.equal((await statuses(id))['1.0.0'], STATUS.deleted);
    }
  });

  test('[REG-147] an archive for a banned node, or a node of a banned publisher, gets 403 and changes nothing', async () => {
    const other = await newStudio(server.current);
    const id = newName('pack');
    const { signedUrl } = await publish(server.current, other, id);
    for (const place of [`/publishers/${other.id}/nodes/${id}`, `/publishers/${other.id}`]) {
      assert.equal((await root().post(`${place}/ban`, { reason: 'spam' })).status, 204);
      const { status, body } = await upload(server.current, signedUrl, cleanPack());
      assert.equal(status, 403);
      assertShape(body, 'error');
      assert.equal((await root().post(`${place}/unban`)).status, 204);
    }
    assert.deepEqual(await statuses(id), { '1.0.0': STATUS.pending });
    assert.equal((await upload(server.current, signedUrl, cleanPack())).status, 200);
  });
});
