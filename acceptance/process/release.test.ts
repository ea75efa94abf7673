import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isLongRun, PATIENCE_MS, type RunningServer, startServer } from '@atelier/testing';

import { newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { createVideo, generated, newArtist, SKIN, videoLooks } from '../support/generation.ts';
import { HOLDING } from '../support/held-jobs.ts';
import { client } from '../support/http-client.ts';
import { type Installed, installRelease } from '../support/installed-release.ts';
import { newStudio, publishActive } from '../support/registry-publishing.ts';
import { startRemoteWorker } from '../support/remote-worker.ts';
import { findNode20, runIn } from '../support/sdk-package.ts';
import { faceText } from '../support/test-pictures.ts';
import { pictureWorkflow, videoWorkflow } from '../support/workflows.ts';

describe('an installed release', { skip: !isLongRun, timeout: 10 * PATIENCE_MS }, () => {
  let release: Installed;
  let node: string;
  let server: RunningServer;
  let cli: string;
  before(async () => {
    release = await installRelease();
    // Any Node from 20 on starts the command, which finds the Node that came with it.
    node = (await findNode20()) ?? process.execPath;
    cli = join(release.project, 'node_modules/@atelier/server/bin/atelier.js');
    const environment = { ...HOLDING, ATELIER_CONSOLE: 'on' };
    server = await startServer({ command: [node, cli, 'serve'], environment });
  });
  after(async () => {
    // A signal that the command can pass on.
    await server?.stop();
    await server?.[Symbol.asyncDispose]();
    await release?.[Symbol.asyncDispose]();
  });

  test('has no TypeScript and no tests, and its checksums are right', () => {
    const own = join(release.project, 'node_modules/@atelier/server');
    const files = readdirSync(own, { recursive: true, encoding: 'utf8' });
    assert.ok(files.length > 500);
    assert.deepEqual(
      files.filter((name) => /(?<!\.d)\.tsx?$|\.test\.js$/.test(name)),
      [],
    );
    const sums = readFileSync(join(release.tarballs, 'SHA256SUMS'), 'utf8').trim().split('\n');
    assert.equal(sums.length, 4);
    for (const line of sums) {
      const [sum, file = ''] = line.split('  ');
      const bytes = readFileSync(join(release.tarballs, file));
      assert.equal(createHash('sha256').update(bytes).digest('hex'), sum);
    }
  });

  test('runs picture and video jobs, tasks and checks of packs, and has the console and the examples', async () => {
    const { api } = await newSubmitter(server);
    for (const workflow of [pictureWorkflow(), videoWorkflow()]) {
      const { prompt_id } = await submit(api, workflow);
      assert.equal(await untilStatus(api, prompt_id), 'completed');
    }
    const artist = await newArtist(server);
    const link = await generated(artist.api, `${SKIN}/faithful`, { image: await faceText() });
    assert.equal((await fetch(link)).headers.get('content-type'), 'image/png');
    const { task_id } = await createVideo(artist.api, { model: 'clipq1', prompt: 'a lake at dawn' });
    assert.equal((await videoLooks(artist.api, task_id)).at(-1)?.state, 'success');
    await publishActive(server, await newStudio(server), 'a-pack-of-the-release');

    const page = await fetch(`${server.url}/console/`);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /<script type="module"/);
    const types = await api.get<object>('/api/object_info');
    assert.ok('TestHold' in types.body, 'the node types of a pack in TypeScript');
    assert.equal((await api.get('/templates/color-field.json')).status, 200);
    const { status } = await client(server.url).get('/ready');
    assert.equal(status, 200);
  });

  test('has the commands of operators', async () => {
    const help = await runIn(release.project, node, [cli, 'admin', '--', '--help']);
    assert.match(help, /Usage: atelier admin COMMAND/);
    assert.match(help, /move-files/);
    const of = await runIn(release.project, node, [cli, 'admin', 'move-files', '--', '--help']);
    assert.match(of, /Usage: atelier admin move-files --to/);
  });

  test('has a worker that connects, also when it is installed by itself', async () => {
    const folder = join(release.project, 'node_modules/@atelier/worker');
    assert.match(
      await runIn(release.project, node, [join(folder, 'bin/atelier-worker.js'), '--help']),
      /--server/,
    );
    const command = [process.execPath, join(folder, 'start.js')] as const;
    await using worker = await startRemoteWorker(server, { name: 'released', command });
    assert.match(worker.output(), /Connected/);
  });
});
