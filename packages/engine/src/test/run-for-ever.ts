/** Runs a node that computes without end, and tells its parent which process does so. */
import { tmpdir } from 'node:os';
import { createRunner } from '../index.ts';

const pack = (name: string) => new URL(name, import.meta.url).href;
const runner = createRunner({ packs: { modules: [pack('./pack.ts'), pack('./odd-pack.ts')] } });
const folder = tmpdir();
await runner.run(
  {
    jobId: 'job',
    graph: {
      pid: { class_type: 'ProcessId', inputs: {} },
      spin: { class_type: 'Spin', inputs: { ms: 600_000, polite: false } },
      first: { class_type: 'Show', inputs: { value: ['pid', 0] } },
      second: { class_type: 'Show', inputs: { value: ['spin', 0] } },
    },
    targets: ['first', 'second'],
    folders: { input: folder, output: folder, temp: folder },
  },
  {
    onEvent(event) {
      if (event.type === 'executed' && event.data.node === 'first')
        process.send?.(Number(event.data.output?.['text']?.[0]));
    },
  },
);
