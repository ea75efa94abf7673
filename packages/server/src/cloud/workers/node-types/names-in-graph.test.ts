import assert from 'node:assert/strict';
import { it } from 'node:test';

import { namesInGraph } from './names-in-graph.ts';

it('the files that a graph names are its texts, in the folders where nodes look for them', () => {
  const graph = {
    1: {
      class_type: 'LoadImage',
      inputs: { image: 'sub\\./cat.png', mask: 'a.png [output]', size: 3, none: null },
    },
    2: { class_type: 'Many', inputs: { list: ['b.png [temp]', ['1', 0], { deep: 'c.png[input]' }] } },
    3: {
      class_type: 'Bad',
      inputs: { up: '../up.png', root: '/etc/passwd', long: 'x'.repeat(2000), empty: '' },
    },
  };
  const names = namesInGraph(JSON.stringify(graph));
  for (const name of ['input/sub/cat.png', 'output//a.png', 'temp//b.png', 'input//c.png'])
    assert.ok(names.has(name), name);
  assert.deepEqual(
    [...names].filter((name) => /up|passwd|xx/.test(name)),
    [],
  );
});
