import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createCatalogue, createFolderFiles } from '../index.ts';
import { pack } from '../test/pack.ts';
import { createDeclarations } from './declarations.ts';
import { isPlainlySound } from './plainly-sound.ts';
import type { DraftNode } from './prompt-draft.ts';
import { validateNode } from './validate-node.ts';

const catalogue = createCatalogue([pack]);
const files = createFolderFiles({ input: 'none', output: 'none', temp: 'none' });
const one: DraftNode = { class_type: 'Number', inputs: { value: 1 } };

function partsFor(node: DraftNode) {
  const draft = new Map([
    ['one', one],
    ['node', node],
  ]);
  return { catalogue, files, draft, declarations: createDeclarations(catalogue, files) };
}

const value = fc.oneof(
  fc.constantFrom('soft', 'hard', '', '1', 'true', null, true, false, -0, 2 ** 53, 0.5, -1, Number.MAX_VALUE),
  fc.integer({ min: -2_000_000, max: 2_000_000 }),
  fc.bigInt(),
  fc.string({ maxLength: 3 }),
  fc.tuple(fc.constantFrom('one', 'node', 'nowhere', '__proto__', 3), fc.constantFrom(0, 1, -1, 0.5, '0')),
  fc.array(fc.constantFrom('one', 0), { maxLength: 3 }),
  fc.record({ __value__: fc.array(fc.integer(), { maxLength: 2 }) }),
);

const node = fc
  .constantFrom(...catalogue.all())
  .chain((type) =>
    fc
      .record(Object.fromEntries(Object.keys(type.inputs).map((name) => [name, value])), { requiredKeys: [] })
      .map((inputs): DraftNode => ({ class_type: type.type, inputs })),
  );

describe('a node that is plainly sound', () => {
  it('has no problem and is left as it is by the whole validation', async () => {
    let sound = 0;
    await fc.assert(
      fc.asyncProperty(node, async (given) => {
        const type = catalogue.get(given.class_type);
        const before = { ...given.inputs };
        if (!type || !isPlainlySound(partsFor(given), given, type)) return;
        sound += 1;
        assert.deepEqual(await validateNode(partsFor(given), given, type), []);
        assert.deepEqual({ ...given.inputs }, before);
      }),
      { numRuns: 3000 },
    );
    assert.ok(sound > 20, `only ${sound} of them were`);
  });

  it('has links, numbers, texts and choices that need no conversion', () => {
    const soundly = (given: DraftNode) => {
      const type = catalogue.get(given.class_type);
      return type !== undefined && isPlainlySound(partsFor(given), given, type);
    };
    assert.ok(soundly({ class_type: 'Number', inputs: { value: 7 } }));
    assert.ok(soundly({ class_type: 'Add', inputs: { a: ['one', 0] } }));
    assert.ok(!soundly({ class_type: 'Number', inputs: { value: '7' } }));
    assert.ok(!soundly({ class_type: 'Number', inputs: { value: 2_000_000 } }));
    assert.ok(!soundly({ class_type: 'Add', inputs: { a: ['one', 1] } }));
    assert.ok(!soundly({ class_type: 'Add', inputs: {} }));
  });
});
