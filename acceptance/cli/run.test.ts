import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, readlink, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freePort, PATIENCE_MS, type RunningServer, startServer, temporaryFolder } from '@atelier/testing';

import { type CliResult, cliFor, runCli } from '../support/cli.ts';
import { newSubmitter, type Submitter, untilStatus } from '../support/cloud.ts';
import '../support/servers.ts';
import { until } from '../support/until.ts';
import {
  EDITOR_WORKFLOW,
  failingWorkflow,
  longWorkflow,
  pictureWorkflow,
  textWorkflow,
} from '../support/workflows.ts';

describe('atelier run', { timeout: 4 * PATIENCE_MS }, () => {
  let server: RunningServer;
  let ada: Submitter;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let atelier: ReturnType<typeof cliFor>;
  before(async () => {
    folder = await temporaryFolder();
    server = await startServer();
    ada = await newSubmitter(server);
    atelier = cliFor(server, ada.key);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const at = (name: string): string => join(folder.path, name);
  async function write(name: string, workflow: unknown): Promise<string> {
    await writeFile(at(name), typeof workflow === 'string' ? workflow : JSON.stringify(workflow));
    return at(name);
  }

  test('[CLI-2] [CLI-8] saves the files of the job under their names, and prints nothing but their paths', async () => {
    const out = at('pictures');
    const file = await write('picture.json', pictureWorkflow());
    const first = await atelier(['run', file, '--out', out]);
    assert.deepEqual([first.code, first.stderr], [0, '']);
    const [path = ''] = first.stdout.trim().split('\n');
    assert.deepEqual(await readdir(out), [path.slice(out.length + 1)]);
    assert.equal((await readFile(path)).subarray(1, 4).toString(), 'PNG');
    // Nothing has changed, so the job makes the same file, and what was there is left alone.
    const second = await atelier(['run', file, '--out', out]);
    assert.equal(second.stdout, `${path.replace('.png', ' (2).png')}\n`);
  });

  test('[CLI-8] programs that save at once replace nothing of each other, nor a link that leads nowhere', async () => {
    const out = at('race');
    await mkdir(out);
    await symlink('nowhere', join(out, 'same_00001_.png'));
    const jobs: string[] = [];
    for (const part of ['a', 'b', 'c']) {
      const file = await write(`${part}.json`, pictureWorkflow({ prefix: `${part}/same` }));
      jobs.push((await atelier(['run', file, '--no-wait'])).stdout.trim());
    }
    const results = await Promise.all(jobs.map(async (id) => await atelier(['watch', id, '--out', out])));
    const names = [2, 3, 4].map((count) => `same_00001_ (${count}).png`);
    assert.deepEqual(results.map(({ stdout }) => stdout.trim().slice(out.length + 1)).sort(), names);
    assert.deepEqual((await readdir(out)).sort(), [...names, 'same_00001_.png'].sort());
    assert.equal(await readlink(join(out, 'same_00001_.png')), 'nowhere');
  });

  test('[CLI-8] saves a file whose name is as long as names can be, twice', async () => {
    const out = at('long-names');
    const file = await write('long-name.json', pictureWorkflow({ prefix: 'x'.repeat(244) }));
    const first = await atelier(['run', file, '--out', out]);
    assert.deepEqual([first.code, first.stderr], [0, '']);
    assert.equal((await atelier(['run', file, '--out', out])).code, 0);
    const names = await readdir(out);
    assert.deepEqual(
      names.map(({ length }) => length),
      [255, 255],
    );
  });

  test('reads a workflow with a byte order mark', async () => {
    const file = await write('mark.json', `\ufeff${JSON.stringify(textWorkflow('marked'))}`);
    assert.equal((await atelier(['run', file])).stdout, 'marked\n');
  });

  test('[CLI-21] a key that no key can be is neither sent nor shown', async () => {
    for (const key of ['bad\nkey', 'schlüssel', '鍵']) {
      const { code, stdout, stderr } = await atelier(['jobs'], { env: { ATELIER_API_KEY: key } });
      assert.equal(code, 2);
      assert.match(stderr, /^error: The API key contains invalid characters\.\n/);
      assert.equal((stdout + stderr).includes(key), false);
    }
  });

  test('[CLI-3] [CLI-4] prints one JSON document with --json', async () => {
    const out = at('json');
    const { code, stdout, stderr } = await atelier(['run', '-', '--json', '--out', out], {
      input: JSON.stringify(pictureWorkflow()),
    });
    assert.deepEqual([code, stderr], [0, '']);
    const { job_id, status, outputs } = JSON.parse(stdout) as {
      job_id: string;
      status: string;
      outputs: { name: string; path: string; size: number; type: string; node_id: string }[];
    };
    assert.equal(status, 'completed');
    assert.equal(await untilStatus(ada.api, job_id), 'completed');
    assert.equal(outputs.length, 1);
    assert.equal((await readFile(outputs[0]?.path ?? '')).length, outputs[0]?.size);
  });

  test('sets values by id, type and title, and prints what nodes show as text', async () => {
    const shown = textWorkflow('before');
    const id = Object.keys(shown).find((key) => shown[key]?.class_type === 'PreviewAny');
    assert.equal(
      (await atelier(['run', await write('t.json', shown), '--set', `${id}.source=7 = seven`])).stdout,
      '7 = seven\n',
    );
    const titled = { a: { class_type: 'PreviewAny', inputs: { source: '' }, _meta: { title: 'My. text' } } };
    const file = await write('titled.json', titled);
    assert.equal((await atelier(['run', file, '--set', 'My. text.source=by title'])).stdout, 'by title\n');
    assert.equal((await atelier(['run', file, '--set', 'PreviewAny.source=by type'])).stdout, 'by type\n');
  });

  test('runs what the editor saves, with values set and files put in place', async () => {
    const out = at('editor');
    const file = await write('editor.json', EDITOR_WORKFLOW);
    const { code, stdout, stderr } = await atelier([
      'run',
      file,
      '--set',
      'EmptyImage.width=64',
      '--out',
      out,
    ]);
    assert.deepEqual([code, stderr], [0, '']);
    const picture = stdout.trim();
    assert.equal((await readFile(picture)).readUInt32BE(16), 64);
    const load = {
      1: { class_type: 'LoadImage', inputs: { image: 'none.png' } },
      2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'again' } },
    };
    const second = await atelier([
      'run',
      await write('load.json', load),
      '--input',
      `image=${picture}`,
      '--out',
      out,
    ]);
    assert.deepEqual([second.code, second.stderr], [0, '']);
    assert.equal((await readFile(second.stdout.trim())).readUInt32BE(16), 64);
  });

  test('[CLI-1] [CLI-14] the exit code tells failed, refused and wrong usage, each with one sentence', async () => {
    const picture = await write('p.json', pictureWorkflow());
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [['run', await write('fails.json', failingWorkflow())], 1, /^error: \S+ in node /],
      [['run', await write('unknown.json', { 1: { class_type: 'Nope', inputs: {} } })], 3, /Nope/],
      [['run', picture, '--key', 'atelier_wrong'], 3, /atelier login/],
      [['run', at('missing.json')], 2, /^error: There is no file .*missing\.json\.\n$/],
      [['run', '/dev/zero'], 2, /\/dev\/zero is larger than any workflow/],
      [['run', picture, '--out', '/proc/atelier'], 2, /folder \/proc\/atelier cannot be created/],
      [['run', picture, '--input', 'image='], 2, /names no file/],
      [['run', folder.path], 2, /is a folder/],
      [['run', await write('broken.json', '{"1": ')], 2, /broken\.json cannot be run\. .*not JSON/],
      [['run', await write('list.json', '[1, 2]')], 2, /JSON object/],
      [['run', picture, '--set', '99.seed=1'], 2, /no node 99/],
      [['run', picture, '--set', 'seed'], 2, /not NAME=VALUE/],
      [['run', picture, '--input', `image=${at('none.png')}`], 2, /There is no file .*none\.png/],
      [['run', picture, '--out', picture], 2, /folder .*p\.json cannot be created/],
      [['run'], 2, /missing required argument 'file'/],
      [['help', 'rnu'], 2, /Did you mean run\?/],
      [['packs', 'check', '/etc/passwd'], 2, /^error: \/etc\/passwd is not a zip file/],
      [['run', picture, '--input', `2.images=${picture}`], 2, /2\.images comes from another node/],
      [['rnu', picture], 2, /Did you mean run\?/],
      [['run', picture, '--ouput', 'x'], 2, /Did you mean one of --input, --out\?/],
    ];
    for (const [args, code, sentence] of cases) {
      const result = await atelier(args);
      assert.match(result.stderr, sentence, args.join(' '));
      assert.equal(result.code, code, `${args.join(' ')}\n${result.stderr}`);
      assertNoStack(result);
    }
  });

  test('[CLI-3] says the same as JSON', async () => {
    const { code, stdout, stderr } = await atelier(['run', at('missing.json'), '--json']);
    assert.deepEqual([code, stderr], [2, '']);
    const { error } = JSON.parse(stdout) as { error: { message: string; exit_code: number } };
    assert.equal(error.exit_code, 2);
    assert.match(error.message, /no file/);
  });

  test('[CLI-1] a server that is down, or is none, is named', async () => {
    const file = await write('p2.json', pictureWorkflow());
    const port = await freePort();
    const down = await runCli(['run', file, '--url', `http://127.0.0.1:${port}`, '--key', 'k']);
    assert.equal(down.code, 4);
    assert.match(down.stderr, new RegExp(`127\\.0\\.0\\.1:${port}`));
    assertNoStack(down);
    const other = createServer((_request, answer) => answer.end('<h1>Hello</h1>')).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const strange = await runCli(['run', file, '--url', url, '--key', 'k']);
    other.close();
    assert.equal(strange.code, 4, strange.stderr);
    assertNoStack(strange);
    const files = createServer((_request, answer) => answer.writeHead(404).end('Not Found'));
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    const { port: filesPort } = files.address() as AddressInfo;
    for (const [address, status, sentence] of [
      [`http://127.0.0.1:${filesPort}`, 4, /is not an Atelier server, or it is too old: it answered 404/],
      [`https://127.0.0.1:${filesPort}`, 4, /it speaks http, not https\./],
      [`127.0.0.1:${filesPort}`, 2, /Did you mean http:\/\/127\.0\.0\.1:\d+\?/],
      [`${server.url}/api`, 4, /has a path that does not belong there, such as \/api/],
      ['http://user:word@127.0.0.1', 2, /must not contain a key or password/],
      ['http://192.0.2.1', 2, /allow insecure connections/],
    ] as const) {
      const result = await runCli(['jobs', '--url', address, '--key', 'k']);
      assert.match(result.stderr, sentence);
      assert.equal(result.code, status, result.stderr);
    }
    const wrongId = await atelier(['cancel', 'nope']);
    assert.deepEqual(
      [wrongId.code, wrongId.stderr],
      [2, 'error: "nope" is not the id of a job.\nSee "atelier jobs".\n'],
    );
    const doctor = await runCli(['doctor', '--url', `https://127.0.0.1:${filesPort}`]);
    assert.match(doctor.stdout, /It speaks http, not https\. Use http:\/\/127\.0\.0\.1:/);
    files.close();
    const none = await runCli(['run', file]);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /No server specified[\s\S]*atelier login/);
  });

  test('[CLI-14] an upload that is empty or too large is refused at once, by name', async () => {
    await write('empty.png', '');
    const empty = await atelier(['upload', at('empty.png')]);
    assert.deepEqual([empty.code, empty.stderr], [2, 'error: empty.png is empty.\n']);
    await write('big.png', '');
    await truncate(at('big.png'), 300_000_000);
    const big = await atelier(['upload', at('big.png')]);
    assert.equal(big.code, 2);
    assert.match(big.stderr, /^error: big\.png has 300\.0 MB, and this server takes at most \d+\.\d MB\.\n$/);
  });

  test('[CLI-10] an interrupt without a terminal cancels the job', async () => {
    const file = await write('long.json', longWorkflow({ pictures: 400 }));
    let jobId = '';
    const result = await atelier(['run', file, '--out', at('never')], {
      onStart(child) {
        void until('the job', async () => {
          const { body } = await ada.api.get<{ jobs: { id: string }[] }>('/api/jobs?status=in_progress');
          jobId = body.jobs[0]?.id ?? '';
          return jobId === '' ? undefined : true;
        }).then(() => child.kill('SIGINT'));
      },
    });
    assert.equal(result.code, 130, result.stderr);
    assert.equal(await untilStatus(ada.api, jobId), 'cancelled');
    assertNoStack(result);
  });
});

test('[CLI-17] atelier run goes on when its server is killed and comes back', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  await using folder = await temporaryFolder();
  // It comes back at the same address.
  let server = await startServer({ environment: { ATELIER_PORT: String(await freePort()) } });
  try {
    const ada = await newSubmitter(server);
    const file = join(folder.path, 'long.json');
    await writeFile(file, JSON.stringify(longWorkflow({ pictures: 100 })));
    const running = cliFor(server, ada.key)(['run', file, '--out', join(folder.path, 'out')]);
    await until('the job', async () => {
      const { body } = await ada.api.get<{ jobs: unknown[] }>('/api/jobs?status=in_progress');
      return body.jobs.length > 0 ? true : undefined;
    });
    await server.stop('SIGKILL');
    server = await server.restart();
    const { code, stdout, stderr } = await running;
    assert.equal(code, 0, stderr);
    assert.ok(stdout.trim().split('\n').length >= 1);
  } finally {
    await server[Symbol.asyncDispose]();
  }
});

function assertNoStack({ stdout, stderr }: CliResult): void {
  assert.doesNotMatch(stdout + stderr, /\n\s+at /);
}
