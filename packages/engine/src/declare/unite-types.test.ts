import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  catalogueOf,
  combo,
  defineNode,
  dynamicCombo,
  fileCombo,
  float,
  type Inputs,
  int,
  link,
  type Output,
  optional,
  output,
  uniteCatalogues,
} from '../index.ts';

function typesOf(inputs: Inputs, outputs: readonly Output[] = [output('MODEL')]) {
  const node = defineNode({ type: 'Load', category: 'test', inputs, outputs, run: () => [] as never });
  return catalogueOf([{ node, pack: { name: 'test' } }]);
}

const name = (...choices: string[]) => combo(choices);

describe('node types of several servers', () => {
  it('offer the choices of all, those of the first one first', () => {
    const a = typesOf({ name: name('b', 'a'), how: dynamicCombo({ x: { of: name('1') }, y: {} }) });
    const b = typesOf({ name: name('c', 'a'), how: dynamicCombo({ x: { of: name('2') }, y: {} }) });
    const { catalogue, conflicts } = uniteCatalogues(a, b);
    assert.deepEqual(conflicts, []);
    assert.deepEqual(catalogue.get('Load')?.inputs, {
      name: name('b', 'a', 'c'),
      how: dynamicCombo({ x: { of: name('1', '2') }, y: {} }),
    });
    assert.equal(uniteCatalogues(catalogue, a).catalogue.get('Load'), catalogue.get('Load'));
  });

  it('are all there', () => {
    const other = defineNode({ type: 'Save', category: 'test', inputs: {}, outputs: [], run: () => [] });
    const { catalogue } = uniteCatalogues(
      typesOf({}),
      catalogueOf([{ node: other, pack: { name: 'more' } }]),
    );
    assert.deepEqual(
      catalogue.all().map(({ type }) => [type, catalogue.packOf(type)?.name]),
      [
        ['Load', 'test'],
        ['Save', 'more'],
      ],
    );
  });

  it('have the files of the user where one has them', () => {
    const a = typesOf({ file: fileCombo({ folder: 'input' }, { style: 'named' }) });
    const { catalogue } = uniteCatalogues(a, typesOf({ file: name('secret.png') }));
    assert.equal(catalogue.get('Load'), a.get('Load'));
  });

  for (const [what, inputs, outputs] of [
    ['only one has the input strength', { name: name('a'), strength: float() }, undefined],
    ['the input name is required in one only', { name: optional(name('a')) }, undefined],
    ['the input name has another type', { name: int() }, undefined],
    ['the input name has another type', { name: link('COMBO') }, undefined],
    ['the outputs differ', { name: name('a') }, [output('CLIP')]],
  ] as const) {
    it(`contradict each other when ${what}, and then the first one counts`, () => {
      const first = typesOf({ name: name('b') });
      const { catalogue, conflicts } = uniteCatalogues(first, typesOf(inputs, outputs));
      assert.deepEqual(conflicts, [{ type: 'Load', difference: what }]);
      assert.equal(catalogue.get('Load'), first.get('Load'));
    });
  }
});
