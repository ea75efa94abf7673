import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { circlesIn, type Import, importsOf, loadedWith, wrongArrow } from './arrows.ts';
import { ROOT } from './run-command.ts';

describe('imports', () => {
  it('follow the arrows of ARCHITECTURE.md everywhere', () => {
    const imports = importsOf(ROOT);
    assert.ok(imports.length > 100, 'the imports were not found');
    const wrong = imports.flatMap((one) => {
      const why = wrongArrow(one);
      return why === undefined ? [] : [`${one.from} → ${one.to}: ${why}`];
    });
    assert.deepEqual(wrong, []);
  });

  it('never go in a circle', () => {
    assert.deepEqual(circlesIn(importsOf(ROOT)), []);
  });

  it('in a circle are found, those of types alone left aside', () => {
    const circle = [
      { from: 'a.ts', to: 'b.ts' },
      { from: 'b.ts', to: 'c.ts' },
      { from: 'c.ts', to: 'b.ts' },
    ];
    assert.deepEqual(circlesIn(circle), [['b.ts', 'c.ts', 'b.ts']]);
    assert.deepEqual(circlesIn(circle.map((one) => ({ ...one, isTypeOnly: one.from === 'c.ts' }))), []);
  });

  const server = 'packages/server/src';
  for (const entry of [`${server}/main.ts`, `${server}/cloud/submit/validate.worker.ts`]) {
    it(`bring no code of node types into the server: ${entry}`, () => {
      const loaded = [...loadedWith(ROOT, entry)];
      assert.ok(
        loaded.includes('packages/engine/src/validate/validate-prompt.ts'),
        'the imports were not followed',
      );
      assert.deepEqual(
        loaded.filter((file) => file.startsWith('packages/nodes/')),
        [],
      );
      // It imports what it is told to.
      const callers = loaded.filter(
        (file) => file.startsWith(server) && /\bloadPacks\b/.test(readFileSync(join(ROOT, file), 'utf8')),
      );
      assert.deepEqual(callers, []);
    });
  }

  const wrong: Import[] = [
    { from: 'packages/contracts/src/a.ts', to: '@atelier/server' },
    { from: `${server}/cloud/a.ts`, to: '@atelier/nodes' },
    { from: 'packages/inspection/src/a.ts', to: '@atelier/server' },
    { from: `${server}/registry/a.ts`, to: '@atelier/packing' },
    { from: 'packages/sdk/src/a.ts', to: '@atelier/engine' },
    { from: 'packages/console/src/a.tsx', to: '@atelier/engine' },
    { from: 'packages/console/src/a.tsx', to: '@atelier/engine/runner' },
    { from: 'packages/engine/src/a.ts', to: 'packages/contracts/src/index.ts' },
    { from: `${server}/platform/db/a.ts`, to: `${server}/accounts/users.repo.ts` },
    { from: `${server}/platform/a.ts`, to: `${server}/config/settings.ts` },
    { from: `${server}/registry/a.service.ts`, to: `${server}/accounts/credits/credits.service.ts` },
    { from: `${server}/accounts/a.service.ts`, to: `${server}/config/load-config.ts` },
    { from: `${server}/accounts/a.ts`, to: `${server}/compose.ts` },
    { from: `${server}/accounts/a.routes.ts`, to: `${server}/accounts/a.repo.ts` },
    { from: `${server}/accounts/a.repo.ts`, to: `${server}/accounts/a.service.ts` },
  ];
  for (const one of wrong) {
    it(`${one.from} may not import ${one.to}`, () => assert.notEqual(wrongArrow(one), undefined));
  }
});
