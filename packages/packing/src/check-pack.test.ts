import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { checkPack } from './check-pack.ts';
import { makeFolder } from './test/make-folder.ts';

const ACTIVE = {
  status: 'NodeVersionStatusActive',
  status_reason: 'Passed automated checks',
  node_extract_status: 'success',
  comfy_node_extract_status: 'success',
  comfy_nodes: [
    {
      comfy_node_name: 'AcmeBlur',
      category: 'acme',
      return_types: '["IMAGE"]',
      deprecated: false,
      experimental: false,
      policy: 'ComfyNodePolicyActive',
    },
  ],
};

describe('a check without a server', () => {
  it('[PACK-13] packs a folder and reports on it as a registry does, and the same on its archive', async () => {
    await using folder = await makeFolder({ 'web/a.js': 'x', 'empty.txt': '' });
    const { pack, report } = await checkPack(folder.path);
    assert.deepEqual(report, ACTIVE);
    assert.ok(pack && pack.archive.length > 0, 'the archive is still there to be sent');

    const file = join(folder.path, 'pack.zip');
    await writeFile(file, pack.archive);
    assert.deepEqual((await checkPack(file)).report, ACTIVE);
  });

  it('[PACK-13] reports findings with file and line', async () => {
    await using folder = await makeFolder({ 'lib/run.py': '\nimport os\nos.system("make")\n' });
    const { inspection, report } = await checkPack(folder.path);
    assert.equal(report.status, 'NodeVersionStatusFlagged');
    assert.equal(report.check_report, report.status_reason);
    assert.ok(inspection.verdict === 'suspicious');
    assert.deepEqual(
      inspection.findings.map(({ rule, file, line }) => [rule, file, line]),
      [['process-start', 'lib/run.py', 3]],
    );
  });

  it('[PACK-13] says why an archive is unusable', async () => {
    await using folder = await makeFolder({ 'pack.zip': 'no zip' });
    const { report, pack } = await checkPack(join(folder.path, 'pack.zip'));
    assert.equal(pack, undefined);
    assert.equal(report.status, 'NodeVersionStatusDeleted');
    assert.match(report.status_reason ?? '', /^The file is not a sound zip archive/);
    assert.deepEqual(report.comfy_nodes, []);
  });

  it('refuses what is missing or too large, in one sentence', async () => {
    await using folder = await makeFolder({ 'pack.zip': 'x'.repeat(100) });
    const file = join(folder.path, 'pack.zip');
    await assert.rejects(checkPack(`${file}x`), /pack\.zipx cannot be found\. Name a folder or a zip file\./);
    await assert.rejects(
      checkPack(file, { maxArchiveBytes: 99 }),
      /has 100 bytes, and an archive may have 99\./,
    );
  });
});
