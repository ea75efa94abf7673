import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';

import { createInspector } from './create-inspector.ts';
import { INSPECTION_LIMITS } from './limits.ts';
import { makePack } from './test/make-pack.ts';

const CLEAN = {
  '__init__.py': 'from .nodes import NODE_CLASS_MAPPINGS\n',
  'nodes.py': 'class Blur:\n    CATEGORY = "image"\n\nNODE_CLASS_MAPPINGS = {"Blur": Blur}\n',
};

describe('an inspector', () => {
  const inspector = createInspector();
  after(async () => await inspector.close());

  it('finds a clean pack clean and lists its nodes', async () => {
    assert.deepEqual(await inspector.inspect(await makePack(CLEAN)), {
      verdict: 'clean',
      nodes: [{ comfy_node_name: 'Blur', category: 'image' }],
      hasAllNodes: true,
      findings: [],
      findingCount: 0,
      notes: [],
    });
  });

  it('reports a suspicious pack with file, line and excerpt', async () => {
    const inspection = await inspector.inspect(
      await makePack({ ...CLEAN, 'a/b.py': '\nimport os\nos.system("ls")\n' }),
    );
    assert.equal(inspection.verdict, 'suspicious');
    assert.deepEqual('findings' in inspection && inspection.findings, [
      {
        rule: 'process-start',
        severity: 'high',
        file: 'a/b.py',
        line: 3,
        excerpt: 'os.system("ls")',
        explanation: 'Another program is started.',
      },
    ]);
  });

  it('says why an archive is unusable', async () => {
    assert.deepEqual(await inspector.inspect(await makePack({ 'link.py': 'x' }, { mode: 0o120777 })), {
      verdict: 'unusable',
      reason: 'The entry "link.py" is a link or a special file.',
    });
    const { verdict } = await inspector.inspect(new Uint8Array(10));
    assert.equal(verdict, 'unusable');
  });

  it('takes memory over that is its own and leaves memory alone that is shared', async () => {
    const archive = await makePack(CLEAN);
    const own = new Uint8Array(archive);
    await inspector.inspect(own);
    assert.equal(own.byteLength, 0);

    const large = Buffer.concat([Buffer.from('before'), archive, Buffer.from('after')]);
    const view = large.subarray(6, 6 + archive.length);
    assert.equal((await inspector.inspect(view)).verdict, 'clean');
    assert.equal(large.toString('latin1').slice(0, 6), 'before');
    assert.deepEqual(view, archive);
  });

  it('tells how many findings there are beyond those it lists', async () => {
    const source = Array.from({ length: 150 }, (_, n) => `def f${n}(x): return eval(x)`).join('\n');
    const inspection = await inspector.inspect(await makePack({ 'a.py': `${source}\neval(y)\n` }));
    assert.ok(inspection.verdict === 'suspicious');
    assert.equal(inspection.findings.length, INSPECTION_LIMITS.findings);
    assert.equal(inspection.findingCount, 151);
    assert.equal(inspection.findings[0]?.line, 151, 'the most serious comes first');
  });

  it('calls an archive unusable that takes too much computing time', async () => {
    const hasty = createInspector({ limits: { cpuMs: 1 } });
    assert.deepEqual(await hasty.inspect(await makePack(CLEAN)), {
      verdict: 'unusable',
      reason: 'The archive could not be inspected within 0.001 seconds.',
    });
    await hasty.close();
  });

  it('calls an archive unusable that needs more memory than there is, and inspects the next one', async () => {
    const small = createInspector({ limits: { heapMib: 24, cpuMs: 300_000 } });
    const huge = `x = [${'(abcdef, ghijkl), '.repeat(80_000)}]\n`;
    assert.deepEqual(await small.inspect(await makePack({ 'a.py': huge })), {
      verdict: 'unusable',
      reason: 'Inspecting the archive takes more memory than is allowed.',
    });
    assert.equal((await small.inspect(await makePack(CLEAN))).verdict, 'clean');
    await small.close();
  });

  it('rejects when called off or closed', async () => {
    const closing = createInspector({ threads: 1 });
    const archive = await makePack(CLEAN);
    await assert.rejects(
      closing.inspect(Buffer.from(archive), { signal: AbortSignal.abort(new Error('off')) }),
      /off/,
    );
    const underWay = assert.rejects(closing.inspect(Buffer.from(archive)), /closed/);
    await closing.close();
    await underWay;
  });
});
