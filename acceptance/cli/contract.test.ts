import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PATIENCE_MS, type RunningServer, startServer, temporaryFolder } from '@atelier/testing';

import { cliFor } from '../support/cli.ts';
import { newSubmitter, type Submitter } from '../support/cloud.ts';
import { until } from '../support/until.ts';
import { pictureWorkflow } from '../support/workflows.ts';

const PROGRAM = join(import.meta.dirname, '../../packages/cli/bin/atelier.js');

const FULL_DISK = join(import.meta.dirname, '../support/full-disk-preload.ts');

/** What scripts build on. */
describe('the contract of atelier', { timeout: 4 * PATIENCE_MS }, () => {
  let server: RunningServer;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let ada: Submitter;
  let workflow = '';
  before(async () => {
    [server, folder] = await Promise.all([startServer(), temporaryFolder()]);
    ada = await newSubmitter(server);
    workflow = join(folder.path, 'picture.json');
    await writeFile(workflow, JSON.stringify(pictureWorkflow()));
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  test('[CLI-4] every document is an object with the names that the rule lists', async () => {
    const atelier = cliFor(server, server.admin.api_key);
    for (const [command, names] of [
      ['run - --no-wait', ['job_id', 'status']],
      ['jobs', ['jobs']],
      ['files', ['files']],
      ['generate list', ['tasks']],
      ['packs search nothing', ['packs']],
      ['publishers list', ['publishers']],
      ['keys list', ['keys']],
      ['credits', ['balance', 'entries']],
      ['webhooks deliveries', ['deliveries']],
      ['users list', ['users']],
      ['users audit', ['entries']],
      ['subscriptions show admin@atelier.local', ['user_id', 'subscription']],
      ['workers list', ['workers']],
      ['workers demand', ['labels']],
      ['profiles', ['profiles']],
      ['doctor', ['checks', 'exit_code']],
    ] as const) {
      const input = JSON.stringify(pictureWorkflow());
      const { code, stdout, stderr } = await atelier([...command.split(' '), '--json'], { input });
      assert.equal(code, 0, `${command}: ${stdout}${stderr}`);
      assert.equal(stderr, '', command);
      const found = Object.keys(JSON.parse(stdout) as object);
      assert.deepEqual(
        names.filter((name) => !found.includes(name)),
        [],
        `${command}: ${stdout}`,
      );
    }
  });

  test('[CLI-3] a command that is wrong is a JSON document too', async () => {
    const atelier = cliFor(server, ada.key);
    for (const [args, pattern] of [
      [['run', '--json'], /missing required argument 'file'/],
      [['--json', 'rnu'], /Did you mean run/],
      [['jobs', '--limit', '0', '--json'], /integer from 1 to 1000/],
      [['keys', '--json'], /command is missing/],
    ] as const) {
      const { code, stdout, stderr } = await atelier(args);
      const { error } = JSON.parse(stdout) as { error: { code: string; message: string; exit_code: number } };
      assert.deepEqual([code, stderr, error.code, error.exit_code], [2, '', 'cli', 2]);
      assert.match(error.message, pattern);
    }
  });

  /** Runs it with these as standard output and standard error, and gives its exit code and what came out of a pipe. */
  const run = async (args: readonly string[], stdio: readonly ('pipe' | number)[]) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { PATH: process.env['PATH'], ATELIER_URL: server.url, ATELIER_API_KEY: ada.key },
      stdio: ['ignore', ...stdio],
    });
    let said = '';
    child.stderr?.on('data', (part: Buffer) => (said += String(part)));
    return {
      child,
      ended: new Promise<{ code: number | null; said: string }>((resolve) =>
        child.once('close', (code) => resolve({ code, said })),
      ),
    };
  };

  test('[CLI-13] a pipe that closes early is not an error, and a full disk behind standard output is reported in one sentence', async () => {
    const left = await run(['jobs', '--json'], ['pipe', 'pipe']);
    left.child.stdout?.destroy();
    assert.deepEqual(await left.ended, { code: 0, said: '' });
    const deaf = await run(['run', 'nowhere.json'], ['pipe', 'pipe']);
    deaf.child.stdout?.resume();
    deaf.child.stderr?.destroy();
    assert.equal((await deaf.ended).code, 2);
    if (process.platform !== 'linux') return;
    const full = await run(['jobs', '--json'], [openSync('/dev/full', 'w'), 'pipe']);
    const { code, said } = await full.ended;
    assert.equal(code, 1);
    assert.equal(said, 'error: Standard output cannot be written (ENOSPC).\n');
  });

  test('[CLI-19] a full disk leaves no file under the good name, and the job can be fetched later', async () => {
    const [full, out] = [join(folder.path, 'full'), join(folder.path, 'downloads')];
    await mkdir(full);
    await writeFile(join(full, 'disk-is-full'), '');
    const atelier = cliFor(server, ada.key);
    const env = { NODE_OPTIONS: `--import ${FULL_DISK}`, ATELIER_DATA_DIR: full };
    const { code, stdout, stderr } = await atelier(['run', workflow, '--out', out], { env });
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, /^error: ".*\.png" cannot be written: the disk is full\.\n/);
    assert.deepEqual(await readdir(out), []);
    const [, id = ''] = /"atelier download ([\da-f-]{36})"/.exec(stderr) ?? [];
    assert.equal((await atelier(['download', id, '--out', out])).code, 0);
    assert.equal((await readdir(out)).length, 1);
  });

  test('[CLI-16] --watch runs again when the file changes, and after a failure', async () => {
    const atelier = cliFor(server, ada.key);
    const [file, out] = [join(folder.path, 'watched.json'), join(folder.path, 'watched')];
    await writeFile(file, '{"1": ');
    const saved = async (): Promise<number> => (await readdir(out).catch(() => [])).length;
    const result = await atelier(['run', file, '--watch', '--out', out], {
      async onStart(child) {
        let said = '';
        child.stderr?.on('data', (part: Buffer) => (said += String(part)));
        await until('the failure', () => said.includes('cannot be run') || undefined);
        await writeFile(file, JSON.stringify(pictureWorkflow()));
        await until('the first run', async () => (await saved()) >= 1 || undefined);
        await appendFile(file, '\n');
        await until('the second run', async () => (await saved()) >= 2 || undefined);
        child.kill('SIGINT');
      },
    });
    assert.equal(result.code, 130, result.stderr);
  });
});
