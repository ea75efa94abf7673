import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { checkPack } from '@atelier/packing';
import { type RunningServer, temporaryFolder } from '@atelier/testing';

import { client } from '../support/http-client.ts';
import { SUSPICIOUS_SOURCE, sourceWithNodes } from '../support/registry-archives.ts';
import { eventually, newName, newStudio, type Studio, upload } from '../support/registry-publishing.ts';
import { type NodeVersion, type Published, STATUS } from '../support/registry-wire.ts';
import { onAnyEngine } from '../support/servers.ts';

const VERSION = '1.2.0';
/** By what a server makes of it. */
const PACKS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  NodeVersionStatusActive: {
    '__init__.py': sourceWithNodes('ScaleUp', 'Blur'),
    'web/notes.txt': 'a',
    'install.sh': 'curl https://example.org/x\n',
  },
  NodeVersionStatusFlagged: {
    '__init__.py': `${sourceWithNodes('Scale')}\nNODE_CLASS_MAPPINGS.update(unknown())\n`,
    'nodes/loader.py': SUSPICIOUS_SOURCE,
  },
  // Unpacks to far more than its size.
  NodeVersionStatusDeleted: { '__init__.py': sourceWithNodes(), 'data.bin': '\0'.repeat(20 * 1024 * 1024) },
};

onAnyEngine('a folder that was packed and checked without a server', (server) => {
  let studio: Studio;
  before(async () => {
    studio = await newStudio(server.current);
  });

  for (const [status, files] of Object.entries(PACKS)) {
    test(`[PACK-13] is accepted by one, with the same report: ${status}`, async () => {
      await using folder = await makePack(studio.id, newName('pack'), files);
      const { pack, report } = await checkPack(folder.path);
      assert.ok(pack);
      assert.equal(report.status, status);

      const version = await send(server.current, studio, pack);
      const { comfy_nodes: nodes, ...onVersion } = report;
      assert.equal(version.checksum, pack.checksum);
      for (const [field, value] of Object.entries(onVersion)) {
        assert.deepEqual(version[field as keyof NodeVersion], value, field);
      }
      if (status === 'NodeVersionStatusDeleted') return;
      assert.deepEqual(await innerNodes(server.current, version), nodes);
    });
  }
});

async function makePack(publisherId: string, nodeId: string, files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  const pyproject = `[project]
name = "${nodeId}"
version = "${VERSION}"
description = "Scales pictures."
license = "MIT"
dependencies = ["numpy"]

[tool.comfy]
PublisherId = "${publisherId}"
DisplayName = "Scale"
`;
  for (const [name, content] of Object.entries({ 'pyproject.toml': pyproject, ...files })) {
    await mkdir(dirname(join(folder.path, name)), { recursive: true });
    await writeFile(join(folder.path, name), content);
  }
  return folder;
}

/** Publishes what was packed, and reads what the publisher sees once it is checked. */
async function send(
  server: RunningServer,
  { owner, token }: Studio,
  { project, archive }: NonNullable<Awaited<ReturnType<typeof checkPack>>['pack']>,
): Promise<NodeVersion> {
  const { publisherId, nodeId, node, nodeVersion } = project;
  const { status, body } = await client(server.url).post<Published>(
    `/publishers/${publisherId}/nodes/${nodeId}/versions`,
    { personal_access_token: token, node, node_version: nodeVersion },
  );
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal((await upload(server, body.signedUrl, archive)).status, 200);
  return await eventually(`the checks of ${nodeId}`, async () => {
    const { body: version } = await owner.get<NodeVersion>(`/nodes/${nodeId}/versions/${VERSION}`);
    return version.status === STATUS.pending ? undefined : version;
  });
}

async function innerNodes(server: RunningServer, { node_id: nodeId }: NodeVersion) {
  const { body } = await client(server.url).get<{ comfy_nodes: readonly unknown[] }>(
    `/nodes/${nodeId}/versions/${VERSION}/comfy-nodes`,
  );
  return body.comfy_nodes;
}
