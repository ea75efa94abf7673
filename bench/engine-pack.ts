import { defineNode, definePack, link, output } from '@atelier/engine';
import '@atelier/nodes';

const EDGE = 1024;
const data = Float32Array.from({ length: EDGE * EDGE * 3 }, (_, at) => ((at * 7919) % 1000) / 1000);

/** A picture that costs nothing to make, and an end that does nothing: what lies between is measured alone. */
export const pack = definePack({
  name: 'bench',
  nodes: [
    defineNode({
      type: 'BenchSource',
      category: 'bench',
      inputs: {},
      outputs: [output('IMAGE')],
      fingerprint: () => Number.NaN,
      run: () => [{ batch: 1, height: EDGE, width: EDGE, channels: 3, data }],
    }),
    defineNode({
      type: 'BenchSink',
      category: 'bench',
      outputNode: true,
      inputs: { image: link('IMAGE') },
      outputs: [],
      run: () => [],
    }),
  ],
});
