import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { ODD_NAMES } from '../support/odd-names.ts';
import { admin } from '../support/people.ts';
import {
  assertNoNull,
  newName,
  newStudio,
  newUser,
  publish,
  publishActive,
  type Studio,
  tryPublish,
} from '../support/registry-publishing.ts';
import type { NodePage, PackNode } from '../support/registry-wire.ts';
import { onEachEngine } from '../support/servers.ts';

const TEXTS = {
  name: 'Upscaler',
  description: 'Makes pictures larger.',
  author: 'Ada',
  banner_url: 'https://example.org/banner.png',
  icon: 'https://example.org/icon.png',
  category: 'image',
  license: '{"file": "LICENSE"}',
  repository: 'https://example.org/code',
  supported_accelerators: ['CUDA', 'ROCm'],
  supported_frontend_version: '>=1.2',
  supported_version: '>=0.3',
  supported_os: ['Linux', 'Windows'],
  tags: ['image', 'scale'],
};

const ODD_IDS = [
  '-pack',
  'pack-',
  '.pack',
  'pack.',
  '_pack',
  'pa ck',
  'päck',
  'pack!',
  'pack/pack',
  '..',
  '',
  'x'.repeat(101),
  7,
];

onEachEngine('nodes', (server) => {
  let studio: Studio;
  let stranger: Client;
  before(async () => {
    studio = await newStudio(server.current);
    stranger = await newUser(server.current);
  });
  const anyone = () => client(server.current.url);
  const read = async (id: string) => (await anyone().get<PackNode>(`/nodes/${id}`)).body;
  const create = async (body: Readonly<Record<string, unknown>>, who = studio.owner) =>
    await who.post<PackNode>(`/publishers/${studio.id}/nodes`, body);

  test('[REG-41] [REG-3] a new node has every field that was said, and no version', async () => {
    const id = newName('pack');
    const { status, body } = await create({ id, ...TEXTS });
    assert.equal(status, 201);
    assert.deepEqual(await read(id), body);
    const { created_at: createdAt, publisher, search_ranking: ranking, ...rest } = body;
    assert.equal(new Date(createdAt).toISOString(), createdAt);
    assert.equal(typeof ranking, 'number');
    assert.equal(publisher.id, studio.id);
    assert.deepEqual(rest, {
      id,
      ...TEXTS,
      supported_comfyui_version: TEXTS.supported_version,
      supported_comfyui_frontend_version: TEXTS.supported_frontend_version,
      downloads: 0,
      github_stars: 0,
      rating: 0,
      status: 'NodeStatusActive',
    });
    assert.equal('createdAt' in body, false);
  });

  test('[REG-139] a name that is not one line of text gets 400 with a sentence, whoever gives it', async () => {
    const id = newName('pack');
    await create({ id, name: 'Proper' });
    const decide = admin(server.current);
    for (const name of ODD_NAMES) {
      const other = newName('pack');
      for (const answer of [
        await create({ id: other, name }),
        await studio.owner.put(`/publishers/${studio.id}/nodes/${id}`, { name }),
        await decide.post('/admin/nodes', { id: other, publisher: { id: studio.id }, name }),
        await decide.put(`/admin/nodes/${id}`, { name }),
        await tryPublish(server.current, studio, other, { node: { name } }),
      ]) {
        assert.equal(answer.status, 400, JSON.stringify(name));
        assertShape(answer.body, 'error');
        assert.match(JSON.stringify(answer.body), /one line/);
      }
      assert.equal((await anyone().get(`/nodes/${other}`)).status, 404);
    }
    assert.equal((await read(id)).name, 'Proper');
  });

  test('[REG-5] [REG-6] a node of which nothing is known has what public clients read, and no null', async () => {
    const owner = await newUser(server.current);
    const publisherId = newName();
    await owner.post('/publishers', { id: publisherId });
    const id = newName('pack');
    const { status, body } = await owner.post<PackNode>(`/publishers/${publisherId}/nodes`, { id });
    assert.equal(status, 201);
    const { body: page } = await anyone().get<NodePage>(`/nodes?node_id=${id}`);
    const { body: found } = await anyone().get<NodePage>(`/nodes/search?search=${id}`);
    const { body: exported } = await anyone().get<{ nodes: PackNode[] }>('/nodes/export');
    for (const node of [
      body,
      await read(id),
      page.nodes[0],
      found.nodes[0],
      exported.nodes.find((one) => one.id === id),
    ]) {
      assert.ok(node);
      assertNoNull(node);
      assert.equal('latest_version' in node, false);
      assert.equal(node.name, id);
      assert.equal(node.description, '');
      assert.equal(node.publisher.name, publisherId);
    }
  });

  test('[REG-7] the names of public clients are accepted for, and sent beside, our own', async () => {
    const id = newName('pack');
    const { body } = await create({
      id,
      supported_comfyui_version: '>=0.3.1',
      supported_comfyui_frontend_version: '>=1.3',
    });
    const both = {
      supported_version: '>=0.3.1',
      supported_comfyui_version: '>=0.3.1',
      supported_frontend_version: '>=1.3',
      supported_comfyui_frontend_version: '>=1.3',
    };
    assert.partialDeepStrictEqual(body, both);
    assert.partialDeepStrictEqual(await read(id), both);
    const { body: changed } = await studio.owner.put(`/publishers/${studio.id}/nodes/${id}`, {
      supported_version: '>=0.4',
    });
    assert.partialDeepStrictEqual(changed, {
      ...both,
      supported_version: '>=0.4',
      supported_comfyui_version: '>=0.4',
    });
    const preempted = ['Scale', 'Blur'];
    for (const name of ['preempted_node_names', 'preempted_comfy_node_names']) {
      const { body: named } = await admin(server.current).put(`/admin/nodes/${id}`, { [name]: preempted });
      assert.partialDeepStrictEqual(named, {
        preempted_node_names: preempted,
        preempted_comfy_node_names: preempted,
      });
      await admin(server.current).put(`/admin/nodes/${id}`, { preempted_node_names: [] });
    }
  });

  test('[REG-8] unknown fields are ignored, and null counts as absent', async () => {
    const id = newName('pack');
    const { status } = await create({ id, ...TEXTS, color: 'blue', nested: { deep: [1, null] } });
    assert.equal(status, 201);
    const nulls = Object.fromEntries(Object.keys(TEXTS).map((key) => [key, null]));
    const { status: updated, body } = await studio.owner.put(`/publishers/${studio.id}/nodes/${id}`, nulls);
    assert.equal(updated, 200);
    assert.partialDeepStrictEqual(body, TEXTS);
    assert.equal('color' in body, false);
  });

  test('[REG-42] an id of other signs, or too long, gets 400 and makes nothing', async () => {
    for (const id of ODD_IDS) {
      const { status, body } = await create({ id });
      assert.equal(status, 400, JSON.stringify(id));
      assertShape(body, 'error');
    }
    for (const id of ODD_IDS.filter((one) => typeof one === 'string' && !['', '..'].includes(one))) {
      const { status, body } = await tryPublish(server.current, studio, encodeURIComponent(String(id)));
      assert.equal(status, 400, JSON.stringify(id));
      assertShape(body, 'error');
    }
    for (const id of ['7', 'A.b_c-D', `${'x'.repeat(81)}.${newName('pack')}`]) {
      assert.equal((await create({ id })).status, 201, id);
    }
  });

  test('[REG-41] an id that is taken gets 400, also in another case and for another publisher', async () => {
    const id = newName('Pack');
    assert.equal((await create({ id })).status, 201);
    const other = await newStudio(server.current);
    for (const spelling of [id, id.toLowerCase(), id.toUpperCase()]) {
      const { status, body } = await create({ id: spelling });
      assert.equal(status, 400);
      assertShape(body, 'error');
      const answer = await other.owner.post(`/publishers/${other.id}/nodes`, { id: spelling });
      assert.equal(answer.status, 400);
    }
    assert.equal((await read(id)).publisher.id, studio.id);
  });

  test('[REG-41] of two who create the same id at once, one gets it', async () => {
    const other = await newStudio(server.current);
    for (let round = 0; round < 4; round += 1) {
      const id = newName('Pack');
      const answers = await Promise.all([
        create({ id }),
        other.owner.post(`/publishers/${other.id}/nodes`, { id: id.toLowerCase() }),
      ]);
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 400]);
    }
  });

  test('[REG-43] an update changes what is named and keeps the rest', async () => {
    const id = newName('pack');
    const { body: before_ } = await create({ id, ...TEXTS });
    const { status, body } = await studio.owner.put<PackNode>(`/publishers/${studio.id}/nodes/${id}`, {
      id: newName('other'),
      description: 'Makes them smaller.',
      tags: ['small'],
    });
    assert.equal(status, 200);
    assert.deepEqual(body, { ...before_, description: 'Makes them smaller.', tags: ['small'] });
    assert.deepEqual(await read(id), body);
  });

  test('[REG-43] a node of another publisher gets 403, an unknown node or publisher 404', async () => {
    const id = newName('pack');
    await create({ id });
    const other = await newStudio(server.current);
    const { status, body } = await other.owner.put(`/publishers/${other.id}/nodes/${id}`, { name: 'mine' });
    assert.equal(status, 403);
    assertShape(body, 'error');
    const nowhere = [
      `/publishers/${studio.id}/nodes/${newName()}`,
      `/publishers/${newName()}/nodes/${newName()}`,
    ];
    for (const path of nowhere) {
      const missing = await studio.owner.put(path, { name: 'x' });
      assert.equal(missing.status, 404);
      assertShape(missing.body, 'error');
    }
    assert.equal((await create({ id: newName('pack') }, stranger)).status, 403);
    assert.equal((await stranger.post(`/publishers/${newName()}/nodes`, { id: newName() })).status, 404);
    assert.equal((await read(id)).name, id);
  });

  test('[REG-44] a publisher cannot set what is for administrators, or counted', async () => {
    const id = newName('pack');
    const wishes = {
      tags_admin: ['trusted'],
      search_ranking: 1,
      preempted_node_names: ['KSampler'],
      preempted_comfy_node_names: ['KSampler'],
      github_stars: 99,
      status: 'NodeStatusBanned',
      status_detail: 'nice',
      downloads: 1_000_000,
      rating: 5,
      publisher: { id: 'somebody' },
      created_at: '2001-01-01T00:00:00Z',
    };
    const { body: created } = await create({ id, ...wishes });
    await studio.owner.put(`/publishers/${studio.id}/nodes/${id}`, wishes);
    await publish(server.current, studio, id, { node: wishes, nodeVersion: { ...wishes, id: 'mine' } });
    const node = await read(id);
    for (const one of [created, node]) {
      assert.equal(one.status, 'NodeStatusActive');
      assert.equal(one.github_stars, 0);
      assert.equal(one.downloads, 0);
      assert.equal(one.rating, 0);
      assert.notEqual(one.search_ranking, 1);
      assert.equal(one.publisher.id, studio.id);
      assert.equal(one.created_at, created.created_at);
      for (const field of ['tags_admin', 'preempted_node_names', 'status_detail']) {
        assert.equal(field in one, false, field);
      }
    }
    const { body: version } = await anyone().get(`/nodes/${id}/versions/1.0.0`);
    assert.equal(version['status'], 'NodeVersionStatusPending');
    assert.equal('tags_admin' in version, false);
  });

  test('[REG-45] a deleted node and its versions are found nowhere', async () => {
    const id = newName('pack');
    const inner = `Inner${id.replaceAll('-', '')}`;
    const { id: versionId } = await publishActive(server.current, studio, id, { innerNodes: [inner] });
    const path = `/publishers/${studio.id}/nodes/${id}`;
    const { status, body } = await studio.owner.delete(path);
    assert.equal(status, 204);
    assert.equal(body, '');
    assert.equal((await studio.owner.delete(path)).status, 404);

    for (const place of [
      `/nodes/${id}`,
      `/nodes/${id}/install`,
      `/nodes/${id}/install?version=1.0.0`,
      `/nodes/${id}/versions`,
      `/nodes/${id}/versions/1.0.0`,
      `/nodes/${id}/versions/1.0.0/comfy-nodes`,
      `/registry/archives/${id}/1.0.0/node.zip`,
      `/comfy-nodes/${inner}/node`,
    ]) {
      assert.equal((await anyone().get(place)).status, 404, place);
    }
    for (const place of [
      `/nodes?node_id=${id}`,
      `/nodes?node_id=${id}&include_banned=true`,
      `/nodes/search?search=${id}`,
      `/nodes/search?comfy_node_search=${inner}`,
      `/publishers/${studio.id}/nodes/v2?limit=1000`,
      '/nodes/export',
    ]) {
      const { nodes } = (await anyone().get<NodePage>(place)).body;
      assert.equal(
        nodes.some((node) => node.id === id),
        false,
        place,
      );
    }
    assert.equal((await anyone().get(`/versions?nodeId=${id}`)).body['total'], 0);
    assert.equal((await anyone().get(`/comfy-nodes?comfy_node_name=${inner}`)).body['total'], 0);
    const versionPath = `${path}/versions/${versionId}`;
    assert.equal((await studio.owner.put(path, { name: 'x' })).status, 404);
    assert.equal((await studio.owner.put(versionPath, { deprecated: true })).status, 404);
    assert.equal((await studio.owner.post(`/nodes/${id}/reviews?star=5`)).status, 404);
  });

  test('[REG-46] the id of a deleted node stays its publisher’s, who may publish it again', async () => {
    const id = newName('pack');
    await publish(server.current, studio, id);
    await studio.owner.delete(`/publishers/${studio.id}/nodes/${id}`);
    const other = await newStudio(server.current);
    const { status, body } = await tryPublish(server.current, other, id);
    assert.equal(status, 403);
    assertShape(body, 'error');
    assert.equal((await other.owner.post(`/publishers/${other.id}/nodes`, { id })).status, 400);

    assert.equal((await tryPublish(server.current, studio, id)).status, 400, 'the number is free again');
    await publish(server.current, studio, id, { version: '1.0.1' });
    assert.equal((await read(id)).status, 'NodeStatusActive');
  });

  test('[REG-47] an owner is told which nodes are to be edited', async () => {
    const id = newName('pack');
    await create({ id });
    const other = await newStudio(server.current);
    const own = `/publishers/${studio.id}/nodes/${id}/permissions`;
    assert.deepEqual((await studio.owner.get(own)).body, { canEdit: true });
    const foreign = `/publishers/${other.id}/nodes/${id}/permissions`;
    assert.deepEqual((await other.owner.get(foreign)).body, { canEdit: false });
    const unknown = `/publishers/${studio.id}/nodes/${newName()}/permissions`;
    assert.deepEqual((await studio.owner.get(unknown)).body, { canEdit: false });
    assert.equal((await other.owner.get(own)).status, 403);
    assert.equal((await anyone().get(own)).status, 401);
  });

  test('[REG-48] a description has at most 1000 characters', async () => {
    const long = 'x'.repeat(1000);
    const id = newName('pack');
    assert.equal((await create({ id, description: long })).status, 201);
    const path = `/publishers/${studio.id}/nodes/${id}`;
    for (const body of [{ description: `${long}x` }, { description: 7 }, { tags: 'image' }, { tags: [7] }]) {
      const answer = await studio.owner.put(path, body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assertShape(answer.body, 'error');
    }
    const tooLong = await tryPublish(server.current, studio, id, { node: { description: `${long}x` } });
    assert.equal(tooLong.status, 400);
    assert.equal((await read(id)).description, long);
  });
});
