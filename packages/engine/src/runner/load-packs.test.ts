import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createCatalogue, loadPacks, type PackError, type PackSources, toObjectInfo } from '../index.ts';

describe('packs of one’s own', () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'atelier-packs-'));
  });
  after(() => {
    rmSync(root, { recursive: true, force: true });
  });

  function write(text: string, entry = 'index.mjs'): string {
    const folder = mkdtempSync(join(root, 'pack-'));
    writeFileSync(join(folder, entry), text);
    return folder;
  }

  async function load(text: string, { entry, ...more }: Partial<PackSources> & { entry?: string } = {}) {
    return await loadPacks({ modules: [], folders: [write(text, entry)], ...more });
  }

  const SOUND = "type: 'A', category: 'c', inputs: {}, outputs: [], run: () => []";
  const FAULTS: readonly (readonly [what: string, nodes: string, why: RegExp])[] = [
    ['no node', '[5]', /: node 1 is not an object/],
    ['no type', '[{ run() {} }]', /: node 1 has a `type` that is not a name/],
    ['a number for a type', "[{ type: 5, run: 'x' }]", /: node 1 has a `type`/],
    ['nothing but a type', "[{ type: 'A', run() {} }]", /: node type A: `category` must be a text/],
    ['no inputs', `[defineNode({ ${SOUND}, inputs: undefined })]`, /A: `inputs` must be an object of inputs/],
    ['no outputs', `[defineNode({ ${SOUND}, outputs: {} })]`, /A: `outputs` must be a list of outputs/],
    ['an output that is a text', `[defineNode({ ${SOUND}, outputs: ['INT'] })]`, /A: `outputs` must be/],
    ['a text for a function', `[defineNode({ ${SOUND}, run: 'notfn' })]`, /A: `run` must be a function/],
    ['an input that is a text', `[defineNode({ ${SOUND}, inputs: { a: 'INT' } })]`, /A: the input `a` is no/],
    [
      'a wrong input of an input',
      `[defineNode({ ${SOUND}, inputs: { a: dynamicCombo({ b: { c: 1 } }) } })]`,
      /A: the input `a.c` is not an input/,
    ],
    [
      'an input that would be a prototype',
      `[defineNode({ ${SOUND}, inputs: { ['__proto__']: int() } })]`,
      /A: an input cannot be called `__proto__`/,
    ],
    [
      'a check without inputs',
      `[defineNode({ ${SOUND}, validate: { check() {} } })]`,
      /A: `validate` must be/,
    ],
    [
      'files that a function lists, as packs did before',
      `[defineNode({ ${SOUND}, inputs: { a: fileCombo(() => []) } })]`,
      /A: the input `a` lists files with a function; write fileCombo\({ folder: 'input' }\)/,
    ],
    [
      'a folder that is not one',
      `[defineNode({ ${SOUND}, inputs: { a: fileCombo({}) } })]`,
      /A: the input `a`/,
    ],
    [
      'a bound that is a text',
      `[defineNode({ ${SOUND}, inputs: { a: int({ max: '5' }) } })]`,
      /A: the input `a` is not an input/,
    ],
    [
      'an unknown check',
      `[defineNode({ ${SOUND}, validate: { inputs: 'all', check: { kind: 'odd' } } })]`,
      /A: `validate` must be/,
    ],
    ['a type twice', `[defineNode({ ${SOUND} }), defineNode({ ${SOUND} })]`, /it declares A twice/],
  ];
  for (const [what, nodes, why] of FAULTS) {
    it(`are refused for ${what}, by the name of the node`, async () => {
      const text = `import { defineNode, dynamicCombo, fileCombo, int } from '@atelier/engine';
        export const pack = { name: 'p', nodes: ${nodes} };`;
      await assert.rejects(load(text), (error: PackError) => {
        assert.equal(error.name, 'PackError');
        assert.match(error.message, why);
        return true;
      });
    });
  }

  for (const exported of ['exports.pack = pack', 'const all = { pack }; module.exports = all']) {
    it(`may be CommonJS: ${exported}`, async () => {
      const text = `const { defineNode, definePack } = require('@atelier/engine');
        const pack = definePack({ name: 'old', nodes: [defineNode({ ${SOUND} })] });
        ${exported};`;
      for (const entry of ['index.cjs', 'index.js']) {
        const [pack] = await load(text, { entry });
        assert.equal(pack?.nodes[0]?.type, 'A');
      }
    });
  }

  it('replace node types that were there before', async () => {
    const text = `import { defineNode } from '@atelier/engine';
      export const pack = { name: 'mine', nodes: [defineNode({ ${SOUND}, type: 'Number' })] };`;
    const modules = [new URL('../test/pack.ts', import.meta.url).href];
    const packs = await loadPacks({ modules, folders: [write(text)] });
    assert.equal(createCatalogue(packs).packOf('Number')?.name, 'mine');
  });

  it('are given up when they are not ready in time', async () => {
    const text = `await new Promise(() => { setInterval(() => {}, 1000).unref(); });
      export const pack = { name: 'never', nodes: [] };`;
    await assert.rejects(
      load(text, { importMs: 20 }),
      /cannot be loaded: it was not ready within 0.02 seconds/,
    );
  });

  it('show no choices of a folder that cannot be read, and hide no other node type', async () => {
    const text = `import { defineNode, fileCombo } from '@atelier/engine';
      export const pack = { name: 'p', nodes: [
        defineNode({ ${SOUND}, inputs: { file: fileCombo({ folder: 'input' }) } }),
        defineNode({ ${SOUND}, type: 'B' }),
      ] };`;
    const info = await toObjectInfo(createCatalogue(await load(text)), {
      list: async () => await Promise.reject(new Error('boom')),
    });
    assert.deepEqual(Object.keys(info), ['A', 'B']);
    assert.deepEqual(info['A']?.input.required, { file: [[], {}] });
  });
});
