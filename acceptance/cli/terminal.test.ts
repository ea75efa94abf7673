import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PATIENCE_MS, type RunningServer, startServer, temporaryFolder } from '@atelier/testing';

import { newSubmitter, type Submitter } from '../support/cloud.ts';
import { HOLDING } from '../support/held-jobs.ts';
import { KEYS, openTerminal, type TerminalOptions } from '../support/terminal.ts';
import { pictureWorkflow } from '../support/workflows.ts';

const NARROW = 40;

describe('atelier in a terminal', { timeout: 2 * PATIENCE_MS }, () => {
  let server: RunningServer;
  let ada: Submitter;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  before(async () => {
    [server, folder] = await Promise.all([startServer({ environment: HOLDING }), temporaryFolder()]);
    ada = await newSubmitter(server);
    await writeFile(join(folder.path, 'picture.json'), JSON.stringify(pictureWorkflow()));
    // Nobody makes the file that it waits for.
    const held = { '1': { class_type: 'TestHold', inputs: { until: join(folder.path, 'never') } } };
    await writeFile(join(folder.path, 'held.json'), JSON.stringify(held));
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const open = (args: readonly string[], { env, ...options }: TerminalOptions = {}) =>
    openTerminal(args, {
      cwd: folder.path,
      ...options,
      env: { ATELIER_URL: server.url, ATELIER_API_KEY: ada.key, ...env },
    });
  const statusOf = async (id: string): Promise<string> =>
    (await ada.api.get<{ status: string }>(`/api/jobs/${id}`)).body.status;

  test('shows each node that is done and the whole, in colors, and then the file', async () => {
    const terminal = open(['run', 'picture.json', '--out', 'wide']);
    assert.equal(await terminal.exit, 0, terminal.text());
    assert.match(terminal.text(), /✓ 1 EmptyImage \d/);
    assert.match(terminal.text(), /✓ 2 SaveImage \d/);
    assert.match(terminal.text(), /% \d of 2 nodes/);
    const [file = ''] = await readdir(join(folder.path, 'wide'));
    assert.match(terminal.text(), new RegExp(`wide/${file}`));
    assert.match(terminal.bytes(), /\u001b\[32m✓/);
  });

  test('[CLI-11] obeys NO_COLOR', async () => {
    const terminal = open(['run', 'picture.json', '--out', 'plain'], { env: { NO_COLOR: '1' } });
    assert.equal(await terminal.exit, 0);
    assert.doesNotMatch(terminal.bytes(), /\u001b\[[\d;]*m/);
  });

  test('[CLI-11] fits into 40 columns', async () => {
    for (const args of [['run', 'picture.json', '--no-download'], ['jobs'], ['files']]) {
      const terminal = open(args, { columns: NARROW });
      assert.equal(await terminal.exit, 0, terminal.text());
      const lines = terminal.text().split('\n');
      assert.deepEqual(
        lines.filter((line) => line.length > NARROW),
        [],
      );
    }
  });

  test('[CLI-9] [CLI-10] asks at Ctrl-C what to do with the job: it can be left alone, watched on or cancelled', async () => {
    const terminal = open(['run', 'held.json']);
    const [, id = ''] = await terminal.sees(/Job ([\da-f-]{36})/);
    await terminal.sees(/1 TestHold/);
    terminal.types(KEYS.interrupt);
    await terminal.sees(/Cancel it/);
    terminal.types(`${KEYS.down}${KEYS.down}${KEYS.enter}`);
    await terminal.sees(/of 1 nodes/);
    terminal.types(KEYS.interrupt);
    await terminal.sees(/Cancel it/);
    terminal.types(`${KEYS.down}${KEYS.enter}`);
    await terminal.sees(/keeps running/);
    assert.equal(await terminal.exit, 130);
    assert.match(await statusOf(id), /pending|in_progress/);

    const again = open(['watch', id]);
    await again.sees(/TestHold/);
    again.types(KEYS.interrupt);
    await again.sees(/Cancel it/);
    again.types(KEYS.enter);
    assert.equal(await again.exit, 130, again.text());
    assert.equal(await statusOf(id), 'cancelled');
  });

  test('a mistyped command gets a suggestion', async () => {
    const terminal = open(['jbos'], { columns: NARROW });
    assert.equal(await terminal.exit, 2);
    assert.match(terminal.text(), /Did you mean jobs\?/);
  });
});
