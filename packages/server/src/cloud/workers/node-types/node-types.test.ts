import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { beforeEach, it } from 'node:test';
import { combo, createCatalogue, defineNode, describeNodes, readObjectInfo, toJson } from '@atelier/engine';

import { onEachDatabase } from '../../../../test/support/on-each-database.ts';
import { createNodeTypes } from './node-types.ts';

function typesWith(type: string, choices: readonly string[]) {
  const inputs = { name: combo(choices) };
  const node = defineNode({ type, category: 'test', inputs, outputs: [], run: () => [] });
  return describeNodes(createCatalogue([{ name: 'test', nodes: [node] }]));
}

function foreignWith(type: string, config: unknown) {
  const info = { [type]: { input: { required: { name: config } }, output: [], category: 'test' } };
  return describeNodes(readObjectInfo(toJson(info)).catalogue);
}

const PLAIN = typesWith('Plain', ['x']);
const A = foreignWith('Load', [['a', 'both']]);
const B = foreignWith('Load', [['both', 'b']]);
const ODD = foreignWith('Load', ['INT', {}]);
const SAME_NAME = foreignWith('Plain', [['foreign']]);
const HOUR = 3_600_000;

onEachDatabase('the node types of all workers', (db) => {
  let now = 1e12;
  let offered: Parameters<typeof createNodeTypes>[0]['offered'] extends () => readonly (infer O)[]
    ? O[]
    : never;
  let isBuiltInComing = false;
  let isAnyConnected = true;
  const start = () =>
    createNodeTypes({
      db: db(),
      clock: () => now,
      offered: () => offered,
      isBuiltInComing: () => isBuiltInComing,
      askFor: () => {},
      hasOwn: false,
      isAnyConnected: () => isAnyConnected,
      waitMs: 200,
    });
  let nodeTypes: ReturnType<typeof start>;
  beforeEach(async () => {
    await db().deleteFrom('node_type_sets').execute();
    await db().deleteFrom('workers').execute();
    offered = [];
    isBuiltInComing = false;
    isAnyConnected = true;
    nodeTypes = start();
  });

  async function arrive(name: string, kind: 'built-in' | 'comfyui', body: string, models = {}) {
    const key = hash('sha256', body);
    now += 1;
    if (!(await nodeTypes.knows(key))) await nodeTypes.learn(key, body);
    offered = [
      ...offered.filter((offer) => offer.name !== name),
      { name, kind, hash: key, models, isOwn: name === 'own' },
    ];
  }
  const leave = (name: string): void => {
    offered = offered.filter((offer) => offer.name !== name);
  };
  const choices = async (type: string) => {
    const input = (await nodeTypes.get()).catalogue.get(type)?.inputs['name'];
    return input?.kind === 'combo' ? input.choices : input?.kind;
  };

  it('are a union in which built-in types win and combos offer what any ComfyUI worker has', async () => {
    await arrive('own', 'built-in', PLAIN);
    await arrive('first', 'comfyui', A);
    await arrive('second', 'comfyui', B);
    await arrive('third', 'comfyui', SAME_NAME);
    assert.deepEqual(await choices('Plain'), ['x']);
    assert.deepEqual(new Set((await choices('Load')) as string[]), new Set(['a', 'both', 'b']));
    const { kinds, conflicts } = await nodeTypes.get();
    assert.equal(kinds['built-in'].catalogue.get('Load'), undefined);
    assert.ok(kinds.comfyui.catalogue.get('Plain')?.foreign);
    assert.deepEqual(conflicts, []);
  });

  it('are computed once for each change', async () => {
    await arrive('own', 'built-in', PLAIN);
    await arrive('first', 'comfyui', A);
    const before = await nodeTypes.get();
    assert.equal(await nodeTypes.get(), before);
    await arrive('second', 'comfyui', A);
    assert.equal(await nodeTypes.get(), before);
    await arrive('second', 'comfyui', B);
    assert.notEqual(await nodeTypes.get(), before);
  });

  it('report when workers contradict each other on a type', async () => {
    await arrive('first', 'comfyui', A);
    await arrive('second', 'comfyui', ODD);
    const { conflicts } = await nodeTypes.get();
    const odd = [A, ODD].map((body) => hash('sha256', body)).toSorted()[1];
    assert.deepEqual(conflicts, [
      { type: 'Load', difference: 'the input name has another type', nodeTypes: odd },
    ]);
    const [used = '', other = ''] = odd === hash('sha256', ODD) ? ['first', 'second'] : ['second', 'first'];
    await arrive('third', 'comfyui', used === 'first' ? A : ODD);
    assert.deepEqual(await nodeTypes.conflicts(), [
      {
        type: 'Load',
        used: [used, 'third'],
        others: [{ workers: [other], difference: 'the input name has another type' }],
      },
    ]);
  });

  for (const choice of ['a', 'b', 'c', 'd']) {
    it(`are built in as the server's own worker has them, regardless of the hashes of others (${choice})`, async () => {
      const other = describeNodes(
        createCatalogue([
          {
            name: 'test',
            nodes: ['Plain', 'More'].map((type) =>
              defineNode({
                type,
                category: choice,
                inputs: { name: combo([choice]), more: combo(['x']) },
                outputs: [],
                run: () => [],
              }),
            ),
          },
        ]),
      );
      await arrive('stranger', 'built-in', other);
      assert.deepEqual(await choices('Plain'), [choice]);
      await arrive('own', 'built-in', PLAIN);
      assert.deepEqual(await choices('Plain'), ['x']);
      assert.deepEqual(await choices('More'), [choice]);
      const [own, stranger] = [hash('sha256', PLAIN), hash('sha256', other)];
      assert.deepEqual(await nodeTypes.conflicts(), [
        {
          type: 'Plain',
          used: ['own'],
          others: [{ workers: ['stranger'], difference: 'only one has the input more' }],
        },
      ]);
      assert.equal(nodeTypes.has(own, 'Plain'), true);
      assert.equal(nodeTypes.has(stranger, 'Plain'), false);
      assert.equal(nodeTypes.has(stranger, 'More'), true);
    });
  }

  it('stay the built-in ones that were there first when the server has no worker of its own', async () => {
    const other = typesWith('Plain', ['y']);
    await arrive('first', 'built-in', PLAIN);
    await nodeTypes.get();
    await arrive('second', 'built-in', other);
    assert.deepEqual(await choices('Plain'), ['x']);
    leave('first');
    assert.deepEqual(await choices('Plain'), ['y']);
  });

  it('keep those of a ComfyUI worker that is away for an hour, and the last ones for longer', async () => {
    await arrive('own', 'built-in', PLAIN);
    await arrive('first', 'comfyui', A, { checkpoints: ['a'] });
    await arrive('second', 'comfyui', B, { checkpoints: ['b'] });
    await nodeTypes.get();
    leave('first');
    assert.ok(((await choices('Load')) as string[]).includes('a'));
    assert.ok((await nodeTypes.get()).isModel('a'));
    now += HOUR + 1;
    assert.deepEqual(await choices('Load'), ['both', 'b']);
    assert.equal((await nodeTypes.get()).isModel('a'), false);
    leave('second');
    leave('own');
    now += HOUR + 1;
    assert.deepEqual(await choices('Load'), ['both', 'b']);
    assert.ok((await nodeTypes.get()).isModel('b'));
    assert.deepEqual(await choices('Plain'), ['x']);
  });

  it('say whether one ComfyUI worker has everything that a job needs', async () => {
    await arrive('own', 'built-in', PLAIN);
    await arrive('first', 'comfyui', A, { checkpoints: ['a', 'c'] });
    await arrive('second', 'comfyui', B, { checkpoints: ['b'] });
    const { isAtOneComfyUi } = await nodeTypes.get();
    assert.ok(isAtOneComfyUi({ nodeTypes: ['Load'], models: ['a', 'c'] }));
    assert.equal(isAtOneComfyUi({ nodeTypes: ['Load'], models: ['a', 'b'] }), false);
    assert.equal(isAtOneComfyUi({ nodeTypes: ['Plain'] }), false);
  });

  it('are replaced when a ComfyUI worker offers others', async () => {
    await arrive('first', 'comfyui', A);
    await nodeTypes.get();
    await arrive('first', 'comfyui', B);
    assert.deepEqual(await choices('Load'), ['both', 'b']);
  });

  it('are after a start the last offers of each kind', async () => {
    await arrive('own', 'built-in', PLAIN);
    await arrive('first', 'comfyui', B);
    await arrive('first', 'comfyui', A);
    offered = [];
    nodeTypes = start();
    const { kinds } = await nodeTypes.get();
    assert.deepEqual(kinds['built-in'].descriptions, [PLAIN]);
    assert.deepEqual(kinds.comfyui.descriptions, [A]);
  });

  it('are after a start those of all ComfyUI workers that were connected within an hour, with their models', async () => {
    await arrive('first', 'comfyui', A, { checkpoints: ['a'] });
    await arrive('second', 'comfyui', B, { checkpoints: ['b'] });
    await nodeTypes.keepOffers(offered);
    const afterStart = async (): Promise<readonly string[]> => {
      offered = [];
      nodeTypes = start();
      const { isModel } = await nodeTypes.get();
      return ['a', 'b'].filter(isModel);
    };
    assert.deepEqual(await afterStart(), ['a', 'b']);
    assert.equal(new Set((await choices('Load')) as string[]).size, 3);
    now += HOUR;
    await arrive('second', 'comfyui', B, { checkpoints: ['b'] });
    await nodeTypes.keepOffers(offered);
    now += 1;
    assert.deepEqual(await afterStart(), ['b']);
    now += HOUR + 1;
    assert.deepEqual(await afterStart(), ['b'], 'the last one, until another comes');
  });

  it('wait for built-in ones that are being loaded, but not forever', async () => {
    await arrive('first', 'comfyui', A);
    isBuiltInComing = true;
    const waiting = nodeTypes.get();
    await arrive('own', 'built-in', PLAIN);
    assert.ok((await waiting).catalogue.get('Plain'));
    offered = [];
    await db().deleteFrom('node_type_sets').execute();
    nodeTypes = start();
    await arrive('first', 'comfyui', A);
    assert.equal((await nodeTypes.get()).catalogue.get('Plain'), undefined);
  });

  it('are refused until a worker has offered some', async () => {
    await assert.rejects(nodeTypes.get(), { code: 'cloud.node_types_loading', message: /Try again/ });
    isAnyConnected = false;
    await assert.rejects(nodeTypes.get(), { code: 'cloud.node_types_loading', message: /npm run worker/ });
  });
});
