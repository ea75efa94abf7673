import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PATIENCE_MS, type RunningServer, startServer, temporaryFolder } from '@atelier/testing';

import { newSubmitter, type Submitter } from '../support/cloud.ts';
import { HOLDING } from '../support/held-jobs.ts';
import { openTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

/** The last of the questions, which every terminal answers. */
const QUESTION = '\u001b[c';
/** Any picture, in any of the three protocols. */
const PICTURE = /\u001b_Ga=T|\u001b\]1337;File=|\u001bP[\d;]*q/;
/** What would mislead a program that guesses. */
const NAMES = {
  TERM_PROGRAM: 'iTerm.app',
  KITTY_WINDOW_ID: '1',
  TERM: 'xterm-kitty',
  COLORTERM: 'truecolor',
};

describe('previews in a terminal', { timeout: 2 * PATIENCE_MS }, () => {
  let server: RunningServer;
  let ada: Submitter;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  before(async () => {
    [server, folder] = await Promise.all([startServer({ environment: HOLDING }), temporaryFolder()]);
    ada = await newSubmitter(server);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  /** Runs a job with previews in a terminal that answers so, until `isSeen`; gives all bytes that it got. */
  async function watchIn(answer: string, isSeen: (bytes: string) => boolean): Promise<string> {
    const end = join(folder.path, `end-${Math.random()}`);
    const file = `${end}.json`;
    await writeFile(file, JSON.stringify({ '1': { class_type: 'TestSteps', inputs: { until: end } } }));
    const env = { ...NAMES, ATELIER_URL: server.url, ATELIER_API_KEY: ada.key };
    const terminal = openTerminal(['run', file, '--no-download'], { cwd: folder.path, env });
    await until('the question', () => terminal.bytes().includes(QUESTION) || undefined);
    terminal.types(answer);
    await terminal.sees(/1 TestSteps \d+\/100000/);
    await until('the end', () => isSeen(terminal.bytes()) || undefined);
    await writeFile(end, '');
    assert.equal(await terminal.exit, 0, terminal.text());
    return terminal.bytes();
  }
  const drawnTwice = (bytes: string): boolean => (bytes.match(/TestSteps \d/g)?.length ?? 0) > 3;

  test('[CLI-12] a terminal that says that it shows none, or says nothing, gets none, whatever its name', async () => {
    for (const answer of ['\u001b[?62;22c', '']) {
      const bytes = await watchIn(answer, drawnTwice);
      assert.doesNotMatch(bytes, PICTURE, JSON.stringify(answer));
    }
  });

  test('[CLI-12] a terminal that says it is iTerm2 gets the previews as the job made them', async () => {
    const bytes = await watchIn('\u001bP>|iTerm2 3.5.0\u001b\\\u001b[6;20;10t\u001b[?62;4c', (all) =>
      PICTURE.test(all),
    );
    const [, size, data = ''] = /\u001b\]1337;File=[^:]*size=(\d+)[^:]*:([^\u0007]*)\u0007/.exec(bytes) ?? [];
    const picture = Buffer.from(data, 'base64');
    assert.equal(picture.length, Number(size));
    assert.deepEqual([...picture.subarray(0, 2), ...picture.subarray(3)], [0xff, 0xd8, 0xff, 0xd9]);
    assert.doesNotMatch(bytes, /\u001b_Ga=T|\u001bP[\d;]*q/);
  });
});
