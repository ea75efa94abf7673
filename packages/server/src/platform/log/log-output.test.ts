import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { temporaryFolder } from '@atelier/testing';

import { createLogOutput } from './log-output.ts';

const OUTPUT = JSON.stringify(import.meta.resolve('./log-output.ts'));

describe('the output of a log', () => {
  it('has every line in order once it is written', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'log');
    const fd = openSync(file, 'a');
    const output = createLogOutput(fd);
    const lines = Array.from({ length: 20_000 }, (_, number) => `${number} é\n`);
    for (const line of lines) output.write(line);
    await output.written();
    assert.equal(readFileSync(file, 'utf8'), lines.join(''));
    closeSync(fd);
  });

  it('has the last lines of a process that ends at once', async () => {
    const child = run(`
      const output = createLogOutput(1);
      process.on('exit', () => { if (!output.writeRest()) throw new Error('not written'); });
      for (let number = 0; number < 20_000; number += 1) output.write(number + '\\n');
      process.exit(3);`);
    const [written, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    assert.equal(code, 3);
    assert.equal(written, Array.from({ length: 20_000 }, (_, number) => `${number}\n`).join(''));
  });

  it('keeps a bounded number of lines for a reader that does not read, and reports how many are lost', async () => {
    const total = 300;
    const child = run(`
      const output = createLogOutput(1, (lines) => process.send(lines, () => process.exit()));
      for (let number = 0; number < ${total}; number += 1) output.write(number + 'x'.repeat(65_536) + '\\n');
      process.send('all are written');`);
    await once(child, 'message');
    const told = once(child, 'message') as Promise<[number]>;
    const [received, [lost]] = await Promise.all([text(child.stdout), told]);
    const lines = received.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => Number.parseInt(line, 10)),
      lines.map((_line, index) => index),
    );
    assert.equal(lines.length + lost, total);
    assert.ok(lines.length > 10 && lines.length < 200, `${lines.length} were kept`);
  });

  it('goes on without a reader', async () => {
    const child = run(`
      const output = createLogOutput(1);
      output.write('first\\n');
      process.on('message', async () => {
        for (let number = 0; number < 100; number += 1) {
          output.write('lost\\n');
          await output.written();
        }
        process.exit(output.writeRest() ? 0 : 1);
      });`);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    child.send('go');
    const [code] = (await once(child, 'exit')) as [number | null];
    assert.equal(code, 0);
  });
});

/** A process of its own whose standard output is a pipe. */
function run(script: string) {
  const source = `const { createLogOutput } = await import(${OUTPUT});\n${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  assert.ok(child.stdout);
  return Object.assign(child, { stdout: child.stdout });
}
