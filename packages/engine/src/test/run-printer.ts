/** Runs two jobs that print: the first one too much. */
import { tmpdir } from 'node:os';
import { createRunner } from '../index.ts';

const runner = createRunner({ packs: { modules: [new URL('./odd-pack.ts', import.meta.url).href] } });
const folder = tmpdir();
for (const inputs of [
  { text: 'much', times: 500_000 },
  { text: 'little', times: 1 },
]) {
  await runner.run({
    jobId: 'job',
    graph: { print: { class_type: 'Printer', inputs } },
    targets: ['print'],
    folders: { input: folder, output: folder, temp: folder },
  });
}
await runner.close();
