import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { layeredLayout } from './layered-layout.ts';

const box = (id: string) => ({ id, width: 200, height: 100 });
const link = (from: string, to: string) => ({ from, to });

describe('the layout of nodes without positions', () => {
  it('has links lead to the right and nodes apart', () => {
    const ids = ['save', 'sampler', 'positive', 'negative', 'model', 'alone'];
    const links = [
      link('model', 'positive'),
      link('model', 'negative'),
      link('model', 'sampler'),
      link('positive', 'sampler'),
      link('negative', 'sampler'),
      link('sampler', 'save'),
    ];
    const places = layeredLayout(ids.map(box), links);
    for (const { from, to } of links) assert.ok((places.get(from)?.x ?? 0) + 200 < (places.get(to)?.x ?? 0));
    const all = [...places.values()];
    for (const [index, a] of all.entries()) {
      for (const b of all.slice(index + 1))
        assert.ok(Math.abs(a.x - b.x) >= 200 || Math.abs(a.y - b.y) >= 100);
    }
  });

  it('ends with circles, links to nowhere and many nodes', () => {
    const ids = Array.from({ length: 3000 }, (_, index) => String(index));
    const links = ids.flatMap((id, index) => [
      link(id, String(index + 1)),
      link(String(index + 1), id),
      link(id, id),
    ]);
    const places = layeredLayout(ids.map(box), links);
    assert.equal(places.size, 3000);
    for (const { x, y } of places.values()) assert.ok(Number.isFinite(x) && Number.isFinite(y));
    assert.equal(layeredLayout([], []).size, 0);
  });
});
