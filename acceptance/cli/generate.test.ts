import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningServer, startServer, type TemporaryFolder, temporaryFolder } from '@atelier/testing';

import { runCli, runJson } from '../support/cli.ts';
import { ledgerOf, newArtist, tasksOf } from '../support/generation.ts';
import { face } from '../support/test-pictures.ts';

interface Generated {
  readonly task_id: string;
  readonly kind: string;
  readonly credits: number;
  readonly made_by: string;
  readonly ignored_words: readonly string[];
  readonly warnings: readonly string[];
  readonly files: readonly { readonly name: string; readonly path: string }[];
}

let server: RunningServer;
let folder: TemporaryFolder;
let picture = '';
before(async () => {
  [server, folder] = await Promise.all([
    startServer({ environment: { ATELIER_SKIN_CREDITS: '3' } }),
    temporaryFolder(),
  ]);
  picture = join(folder.path, 'face.png');
  await writeFile(picture, await face());
});
after(async () => {
  await Promise.all([server?.[Symbol.asyncDispose](), folder?.[Symbol.asyncDispose]()]);
});

describe('generate', () => {
  test('saves what it makes, and says what it cost and who made it', async () => {
    const { key, api } = await newArtist(server);
    const out = join(folder.path, 'skin');
    const args = ['generate', 'skin', picture, '--skin-detail', '60', '--out', out];
    const { code, json, stderr } = await runJson<Generated>(args, { url: server.url, key });
    assert.equal(code, 0, stderr);
    assert.deepEqual([json.kind, json.credits, json.made_by], ['skin', 3, 'local stand-in']);
    assert.equal(json.files.length, 1);
    assert.ok((await readFile(json.files[0]?.path ?? '')).length > 0);
    assert.equal((await tasksOf(api)).tasks[0]?.kind, 'skin-faithful');

    const again = await runCli(['generate', 'get', json.task_id, '--out', out], { url: server.url, key });
    assert.equal(again.code, 0, again.stderr);
    assert.notEqual(again.stdout.trim(), json.files[0]?.path, 'the first one is not overwritten');
    assert.equal((await readdir(out)).length, 2);
    const listed = await runCli(['generate', 'list'], { url: server.url, key });
    assert.match(listed.stdout, new RegExp(`^${json.task_id} +skin-faithful +COMPLETED +100 % +3 `, 'm'));
  });

  test('tells which words had no effect', async () => {
    const { key } = await newArtist(server);
    const args = ['generate', 'relight', picture, '--prompt', 'moonlight, a walrus', '--whites', '60'];
    const { code, stdout, stderr } = await runCli([...args, '--no-change-background', '--out', folder.path], {
      url: server.url,
      key,
    });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^warning: Words that had no effect: walrus\.$/m);
    assert.match(stdout, /\.(?:png|jpe?g|webp)$/m);
  });

  test('makes a video, and with a watermark a copy of it too', async () => {
    const { key, api } = await newArtist(server);
    const args = ['generate', 'video', '--model', 'clipq3-pro', '--prompt', 'sunset', '--duration', '1'];
    const options = { url: server.url, key };
    const { code, json, stderr } = await runJson<Generated>(
      [...args, '--resolution', '540p', '--no-audio', '--watermark', '--out', folder.path],
      options,
    );
    assert.equal(code, 0, stderr);
    assert.equal(json.credits, 9);
    assert.equal(json.files.length, 2);
    const videos = await Promise.all(json.files.map(async ({ path }) => await readFile(path)));
    for (const video of videos) assert.equal(video.toString('latin1', 4, 8), 'ftyp');
    assert.notDeepEqual(videos[0], videos[1]);
    assert.equal((await ledgerOf(api)).balance, 100_000 - 9);
  });

  test('refuses what is out of bounds before anything is sent', async () => {
    const { key, api } = await newArtist(server);
    for (const [args, pattern] of [
      [['skin', picture, '--sharpen', '101'], /integer from 0 to 100/],
      [['skin', picture, '--mode', 'creative', '--skin-detail', '1'], /--skin-detail is for --mode faithful/],
      [['skin', join(folder.path, 'none.png')], /There is no file .*none\.png/],
      [['skin', folder.path], /is not a file/],
      [['relight', picture, '--style', 'noir'], /Allowed choices are standard/],
      [['relight', picture, '--webhook-url', 'ftp://x'], /an http or https URL/],
      [['video', '--prompt', 'x'], /required option '--model <word>'/],
      [['video', '--model', 'clipq3-pro'], /needs --prompt or --image/],
      [['video', '--model', 'clip2.0', '--prompt', 'x'], /needs a start frame/],
      [
        ['video', '--model', 'clipq1', '--prompt', 'x', '--duration', '6'],
        /does not make videos of 6 seconds/,
      ],
      [['video', '--model', 'clipq1', '--prompt', 'x'.repeat(2001)], /at most 2000 characters/],
    ] as const) {
      const { code, stderr } = await runCli(['generate', ...args], { url: server.url, key });
      assert.equal(code, 2, stderr);
      assert.match(stderr, pattern);
    }
    assert.deepEqual((await tasksOf(api)).tasks, []);
  });

  test('without credits it is refused, and a task of somebody else is as good as none', async () => {
    const { key } = await newArtist(server, 0);
    const poor = await runJson<{ error: { code: string } }>(['generate', 'skin', picture], {
      url: server.url,
      key,
    });
    assert.equal(poor.code, 3);
    assert.equal(poor.json.error.code, 'credits.insufficient');
    const id = '00000000-0000-4000-8000-000000000000';
    const none = await runCli(['generate', 'get', id], { url: server.url, key });
    assert.equal(none.code, 3);
    assert.match(none.stderr, /There is no task 0000/);
  });

  test('Ctrl-C leaves the task and says how to get it', async () => {
    await using quiet = await startServer({ environment: { ATELIER_RENDERERS: '0' } });
    const { key, api } = await newArtist(quiet);
    const { code, stderr } = await runCli(['generate', 'skin', picture], {
      url: quiet.url,
      key,
      async onStart(child) {
        while ((await tasksOf(api)).tasks.length === 0) await delay(50);
        child.kill('SIGINT');
      },
    });
    assert.equal(code, 130, stderr);
    const [task] = (await tasksOf(api)).tasks;
    assert.match(stderr, new RegExp(`Get what it makes with "atelier generate get ${task?.id}"`));
  });
});
