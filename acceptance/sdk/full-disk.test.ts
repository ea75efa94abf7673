import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PATIENCE_MS, type RunningServer, startServer, temporaryFolder } from '@atelier/testing';

import { newClient } from '../support/sdk.ts';

const run = promisify(execFile);
const PROGRAM = fileURLToPath(import.meta.resolve('../support/save-in-narrow-space.ts'));

interface Outcome {
  readonly results: readonly { readonly name: string; readonly code: string; readonly message: string }[];
  readonly files: readonly string[];
  readonly earlier: string;
}

/** `$1` is the folder that becomes narrow; what stands behind it is run there. */
const NARROW = {
  disk: 'mount -t tmpfs -o size=64k none "$1" && exec "${@:2}"',
  limit: 'ulimit -f 64 && exec "${@:2}"',
};

/** Its own small disk, where this machine lets a process have one: a real ENOSPC. */
const own = await run('unshare', ['-Ur', '--mount', 'mount', '-t', 'tmpfs', 'none', '/tmp']).then(
  () => true,
  () => false,
);

describe('a download that has no room leaves no half file, and an earlier file as it was', () => {
  let server: RunningServer;
  let name: string;
  let environment: Record<string, string>;
  before(async () => {
    server = await startServer();
    const atelier = await newClient(server);
    ({ name } = await atelier.files.upload(randomBytes(400_000), { name: 'noise.bin' }));
    environment = { ATELIER_URL: server.url, ATELIER_API_KEY: atelier.key };
  });
  after(async () => await server?.[Symbol.asyncDispose]());

  async function save(command: readonly string[]): Promise<Outcome> {
    await using folder = await temporaryFolder();
    const [program, ...args] = [...command, '-', folder.path, process.execPath, PROGRAM, folder.path, name];
    const { stdout } = await run(program, args, {
      env: { ...process.env, ...environment },
      timeout: PATIENCE_MS,
    });
    return JSON.parse(stdout) as Outcome;
  }

  function assertNothingLost({ results, files, earlier }: Outcome, reason: RegExp): void {
    assert.equal(results.length, 2);
    for (const { name: kind, code, message } of results) {
      assert.deepEqual([kind, code], ['AtelierError', 'client.file'], message);
      assert.match(message, reason);
    }
    assert.deepEqual(files, ['kept', 'kept/photo.bin']);
    assert.equal(earlier, 'as it was');
  }

  test('on a full disk', {
    skip: own ? false : 'this machine gives no process a disk of its own',
  }, async () => {
    const outcome = await save(['unshare', '-Ur', '--mount', 'bash', '-c', NARROW.disk]);
    assertNothingLost(outcome, /^"[^"]+" cannot be written: the disk is full\.$/);
  });

  const noLimits = process.platform === 'win32' && 'Windows has no limit of the size of files';
  test('where the system refuses to let a file grow', { skip: noLimits }, async () => {
    const outcome = await save(['bash', '-c', NARROW.limit]);
    assertNothingLost(outcome, /^"[^"]+" cannot be written: the file is larger than this system allows\.$/);
  });
});
