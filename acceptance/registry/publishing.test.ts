import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import {
  allVersions,
  assertNoNull,
  newName,
  newStudio,
  newToken,
  publish,
  type Studio,
  tryPublish,
} from '../support/registry-publishing.ts';
import { type PackNode, type Published, STATUS } from '../support/registry-wire.ts';
import { onEachEngine } from '../support/servers.ts';

/** What `comfy node publish` sends for a project that says no more than it must. */
function bodyOfPublicClient(token: string, id: string, version: string) {
  const support = {
    supported_os: ['OS Independent'],
    supported_accelerators: ['GPU :: NVIDIA CUDA'],
    supported_comfyui_version: '',
    supported_comfyui_frontend_version: '',
  };
  return {
    personal_access_token: token,
    node: {
      id,
      description: '',
      icon: '',
      name: '',
      license: '{}',
      repository: '',
      banner_url: '',
      ...support,
    },
    node_version: { version, dependencies: ['numpy', 'torch>=2'], ...support },
  };
}

const NO_VERSIONS = [
  '',
  'abc',
  'latest',
  '1.2.3.4',
  '1..2',
  '1.2.',
  '-1.0.0',
  '01.2.3',
  '1.2.3-',
  '1.0.0rc1',
  '1.2.3-a..b',
  '1.2.3 4',
  '^1.2.3',
  '99999999999999999999.0.0',
  '../1.0.0',
  7,
  1.5,
  ['1.0.0'],
];

onEachEngine('publishing', (server) => {
  let studio: Studio;
  before(async () => {
    studio = await newStudio(server.current);
  });
  const anyone = () => client(server.current.url);
  const read = async (id: string) => await anyone().get<PackNode>(`/nodes/${id}`);

  test('[REG-49] [REG-4] publishing makes the node and a pending version with a link for its archive', async () => {
    const id = newName('pack');
    const { status, body } = await tryPublish(server.current, studio, id, {
      node: { name: 'Scaler', description: 'Scales.' },
      nodeVersion: {
        changelog: 'First.',
        dependencies: ['numpy'],
        deprecated: true,
        supported_os: ['Linux'],
        supported_accelerators: ['CUDA'],
        supported_version: '>=0.3',
        supported_frontend_version: '>=1.1',
        tags: ['scale'],
      },
    });
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(body).toSorted(), ['node_version', 'signedUrl']);
    assertNoNull(body);
    assert.ok(body.signedUrl.startsWith(`${server.current.url}/`));
    const { id: versionId, createdAt, ...rest } = body.node_version;
    assert.ok(versionId);
    assert.equal(new Date(createdAt).toISOString(), createdAt);
    assert.deepEqual(rest, {
      node_id: id,
      version: '1.0.0',
      changelog: 'First.',
      dependencies: ['numpy'],
      deprecated: true,
      node_extract_status: 'pending',
      comfy_node_extract_status: 'pending',
      status: STATUS.pending,
      supported_os: ['Linux'],
      supported_accelerators: ['CUDA'],
      supported_version: '>=0.3',
      supported_comfyui_version: '>=0.3',
      supported_frontend_version: '>=1.1',
      supported_comfyui_frontend_version: '>=1.1',
      tags: ['scale'],
    });
    const { body: node } = await read(id);
    assert.equal(node.name, 'Scaler');
    assert.equal(node.publisher.id, studio.id);
    assert.equal('latest_version' in node, false);
    const { body: version } = await anyone().get(`/nodes/${id}/versions/1.0.0`);
    assert.deepEqual(version, body.node_version);
  });

  test('[REG-50] what the public command-line client sends is accepted as it is', async () => {
    const id = newName('pack');
    const path = `/publishers/${studio.id}/nodes/${id}/versions`;
    const { status, body } = await anyone().post<Published>(
      path,
      bodyOfPublicClient(studio.token, id, '1.0.0'),
    );
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual(body.node_version.dependencies, ['numpy', 'torch>=2']);
    const { body: node } = await read(id);
    assert.equal(node.name, id);
    assert.equal(node.description, '');
    assert.partialDeepStrictEqual(node, { license: '{}', supported_os: ['OS Independent'] });
  });

  test('[REG-50] an empty name leaves the name that the node has', async () => {
    const id = newName('pack');
    await publish(server.current, studio, id, { node: { name: 'Scaler' } });
    await publish(server.current, studio, id, { version: '1.0.1', node: { name: '' } });
    assert.equal((await read(id)).body.name, 'Scaler');
  });

  test('[REG-51] publishing updates the node; what is absent stays', async () => {
    const id = newName('pack');
    const first = { name: 'Scaler', author: 'Ada', tags: ['a', 'b'], repository: 'https://example.org/a' };
    await publish(server.current, studio, id, { node: first });
    const { body: before_ } = await read(id);
    const { status } = await anyone().post(`/publishers/${studio.id}/nodes/${id}/versions`, {
      personal_access_token: studio.token,
      node: { description: 'Scales well.', tags: ['c'], author: null },
      node_version: { version: '1.1' },
    });
    assert.equal(status, 201);
    assert.deepEqual((await read(id)).body, { ...before_, description: 'Scales well.', tags: ['c'] });
  });

  test('[REG-52] a version is normalized to three numbers', async () => {
    const id = newName('pack');
    for (const [sent, kept] of [
      ['2', '2.0.0'],
      ['2.5', '2.5.0'],
      ['v2.6.1', '2.6.1'],
      ['2.7.0-rc.1', '2.7.0-rc.1'],
      ['2.8.0+build.5', '2.8.0'],
    ] as const) {
      const { node_version: version } = await publish(server.current, studio, id, { version: sent });
      assert.equal(version.version, kept, sent);
    }
    for (const same of ['2.0', '2.5.0', 'v2.5', '2.8.0+build.6']) {
      assert.equal((await tryPublish(server.current, studio, id, { version: same })).status, 400, same);
    }
  });

  test('[REG-52] [REG-57] what is not a version gets 400, and no node is made', async () => {
    const id = newName('pack');
    for (const version of NO_VERSIONS) {
      const { status, body } = await anyone().post(`/publishers/${studio.id}/nodes/${id}/versions`, {
        personal_access_token: studio.token,
        node: {},
        node_version: { version },
      });
      assert.equal(status, 400, JSON.stringify(version));
      assertShape(body, 'error');
    }
    assert.equal((await read(id)).status, 404);
  });

  test('[REG-53] [REG-57] a number is used once; the second use gets 400 and changes nothing', async () => {
    const id = newName('pack');
    await publish(server.current, studio, id, { node: { name: 'First' } });
    const { status, body } = await tryPublish(server.current, studio, id, { node: { name: 'Second' } });
    assert.equal(status, 400);
    assertShape(body, 'error');
    assert.match(body.message, /1\.0\.0.*waits for its archive/);
    assert.equal((await read(id)).body.name, 'First');
    assert.equal((await allVersions(server.current, id)).length, 1);
  });

  test('[REG-53] the number of a deleted version stays reserved', async () => {
    const id = newName('pack');
    const { node_version: version } = await publish(server.current, studio, id);
    const path = `/publishers/${studio.id}/nodes/${id}/versions/${version.id}`;
    assert.equal((await studio.owner.delete(path)).status, 204);
    for (const same of ['1.0.0', '1.0', 'v1']) {
      assert.equal((await tryPublish(server.current, studio, id, { version: same })).status, 400);
    }
    assert.equal((await tryPublish(server.current, studio, id, { version: '1.0.1' })).status, 201);
  });

  test('[REG-53] of several publishes of one number at once, one succeeds', async () => {
    for (let round = 0; round < 3; round += 1) {
      const id = newName('pack');
      const answers = await Promise.all(
        [1, 2, 3, 4].map(
          async (one) => await tryPublish(server.current, studio, id, { node: { name: `Name ${one}` } }),
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 400, 400, 400]);
      assert.equal((await allVersions(server.current, id)).length, 1);
      const winner = answers.findIndex(({ status }) => status === 201);
      assert.equal((await read(id)).body.name, `Name ${winner + 1}`);
    }
  });

  test('[REG-49] several numbers of a new node can be published at once', async () => {
    const id = newName('pack');
    const numbers = ['1.0.0', '1.1.0', '1.2.0', '1.3.0'];
    const answers = await Promise.all(
      numbers.map(async (version) => await tryPublish(server.current, studio, id, { version })),
    );
    for (const { status } of answers) assert.equal(status, 201);
    const versions = await allVersions(server.current, id);
    assert.deepEqual(
      versions.map(({ version }) => version),
      numbers.toReversed(),
    );
  });

  test('[REG-54] a body without one of its three parts gets 400', async () => {
    const id = newName('pack');
    const whole = {
      personal_access_token: studio.token,
      node: {},
      node_version: { version: '1.0.0' },
    };
    for (const part of Object.keys(whole)) {
      const { status, body } = await anyone().post(`/publishers/${studio.id}/nodes/${id}/versions`, {
        ...whole,
        [part]: undefined,
      });
      assert.equal(status, 400, part);
      assertShape(body, 'error');
      assert.match(String(body['message']), new RegExp(part));
    }
    for (const body of [{ ...whole, node: [] }, { ...whole, node_version: {} }, [], 'text']) {
      const answer = await anyone().request('POST', `/publishers/${studio.id}/nodes/${id}/versions`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.equal(answer.status, 400);
    }
    assert.equal((await read(id)).status, 404);
  });

  test('[REG-55] a token that is unknown or another publisher’s, and an unknown publisher, get 400', async () => {
    const other = await newStudio(server.current);
    const id = newName('pack');
    for (const [publisherId, token] of [
      [studio.id, 'nonsense'],
      [studio.id, ''],
      [studio.id, other.token],
      [studio.id, '00000000-0000-4000-8000-000000000000'],
      [newName(), studio.token],
    ] as const) {
      const { status, body } = await tryPublish(server.current, { id: publisherId, token }, id);
      assert.equal(status, 400);
      assertShape(body, 'error');
    }
    assert.equal((await read(id)).status, 404);
  });

  test('[REG-55] a node of another publisher gets 403, whatever the token', async () => {
    const other = await newStudio(server.current);
    const id = newName('Pack');
    await publish(server.current, studio, id);
    for (const token of [other.token, studio.token, 'nonsense']) {
      for (const spelling of [id, id.toLowerCase()]) {
        const answer = await tryPublish(server.current, { id: other.id, token }, spelling, {
          version: '2.0.0',
        });
        assert.equal(answer.status, 403);
        assertShape(answer.body, 'error');
      }
    }
    assert.equal((await allVersions(server.current, id)).length, 1);
  });

  test('[REG-55] a banned publisher and a banned node get 403, before the token is looked at', async () => {
    const banned = await newStudio(server.current);
    const root = admin(server.current);
    const id = newName('pack');
    await publish(server.current, banned, id);
    for (const path of [`/publishers/${banned.id}/nodes/${id}`, `/publishers/${banned.id}`]) {
      assert.equal((await root.post(`${path}/ban`, { reason: 'spam' })).status, 204);
      for (const token of [banned.token, 'nonsense']) {
        const { status, body } = await tryPublish(server.current, { id: banned.id, token }, id, {
          version: '2.0.0',
        });
        assert.equal(status, 403);
        assertShape(body, 'error');
      }
      assert.equal((await root.post(`${path}/unban`)).status, 204);
    }
    await publish(server.current, banned, id, { version: '2.0.0' });
  });

  test('[REG-46] a node is published again under the spelling it has', async () => {
    const id = newName('Pack');
    await publish(server.current, studio, id);
    const { node_version: version } = await publish(server.current, studio, id.toLowerCase(), {
      version: '1.1.0',
    });
    assert.equal(version.node_id, id);
    assert.equal((await allVersions(server.current, id)).length, 2);
  });

  test('[REG-56] the changelog is in the answer, as it was sent', async () => {
    const changelog = '## 1.0.0\n\n- “First” one\n- <b>ünïcode</b> 🎉\n';
    const { node_version: version } = await publish(server.current, studio, newName('pack'), {
      nodeVersion: { changelog },
    });
    assert.equal(version.changelog, changelog);
    const { node_version: without } = await publish(server.current, studio, newName('pack'));
    assert.equal('changelog' in without, false);
  });

  test('[REG-40] every token of a publisher publishes its nodes', async () => {
    const id = newName('pack');
    await publish(server.current, studio, id);
    const second = await newToken(studio.owner, studio.id);
    await publish(server.current, studio, id, { version: '1.0.1', token: second });
  });
});
