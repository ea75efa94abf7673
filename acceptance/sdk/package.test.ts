import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PATIENCE_MS, type RunningServer, startServer } from '@atelier/testing';

import { startBrowser } from '../support/browser.ts';
import { newClient } from '../support/sdk.ts';
import { findNode20, installPackage, runIn, typeCheck } from '../support/sdk-package.ts';
import { serveFolder } from '../support/serve-folder.ts';
import { face } from '../support/test-pictures.ts';

/** What a newcomer writes. */
const PROGRAM = `
import { createAtelier, file, JobFailedError, loadWorkflow } from '@atelier/sdk';

const atelier = createAtelier();
const workflow = loadWorkflow({
  1: { class_type: 'LoadImage', inputs: { image: '' } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'node' } },
});
workflow.set('LoadImage.image', file('photo.png'));
const { outputs } = await atelier.jobs.run(workflow, { onProgress: ({ fraction }) => void fraction });
console.log(process.version, await outputs[0].saveTo('out/'));
try {
  await atelier.jobs.run({
    1: { class_type: 'StringFormat', inputs: { f_string: '{' } },
    2: { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
  });
} catch (error) {
  console.log(error instanceof JobFailedError, error.nodeType);
}
`;

const TYPED = `
import { type Asset, AtelierError, createAtelier, type JobEvent, loadWorkflow, verifyWebhook } from '@atelier/sdk';

const atelier = createAtelier({ url: 'http://127.0.0.1:8080', apiKey: 'key' });
export async function main(signal: AbortSignal): Promise<number> {
  const job = await atelier.jobs.submit(loadWorkflow('{}').set('3.seed', 7n), { labels: ['gpu'], signal });
  for await (const event of job.events({ previews: true })) {
    if (event.type === 'progress') return event.data.value / event.data.max;
    if (event.type === 'preview') return event.bytes.length;
    // @ts-expect-error: success has no node.
    if (event.type === 'execution_success') return event.data.node;
  }
  const events: AsyncIterable<JobEvent> = atelier.jobs.watch(job.id);
  const assets: Asset[] = await atelier.assets.list({ tagsAll: ['output'] }).toArray();
  const task = await atelier.generation.video({ model: 'clipq3-pro', images: [new Blob([])] });
  // @ts-expect-error: there is no such model.
  await atelier.generation.video({ model: 'other' });
  const { body } = await verifyWebhook<{ type: string }>('', new Headers(), 'whsec_');
  const error = new AtelierError('cloud.queue_limit', body.type);
  // @ts-expect-error: codes are those of the catalogue.
  if (error.code === 'no.such_code') return 0;
  return assets.length + task.id.length + (await events[Symbol.asyncIterator]().next()).done!.toString().length;
}
`;

const PAGE = `<!doctype html><script type="module">
import { createAtelier, file } from '/sdk/index.js';
const wanted = new URLSearchParams(location.search);
try {
  const atelier = createAtelier({ url: wanted.get('url'), apiKey: wanted.get('key') });
  const picture = await (await fetch('/photo.png')).blob();
  const loaded = [];
  const uploaded = await atelier.files.upload(picture, { name: 'photo.png', onProgress: (one) => loaded.push(one.loaded) });
  const job = await atelier.jobs.submit({
    1: { class_type: 'LoadImage', inputs: { image: picture } },
    2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'page' } },
  });
  const types = [];
  for await (const { type } of job.events({ previews: true })) types.push(type);
  const { outputs } = await job.result();
  const bytes = await outputs[0].download();
  const byName = await atelier.files.open({ filename: outputs[0].name }).download();
  const path = await atelier.files.upload(file('photo.png')).catch((error) => error.message);
  const missing = await atelier.jobs.get('none').catch(({ code, requestId }) => ({ code, requestId }));
  window.result = {
    isNew: uploaded.isNew, loaded: loaded.at(-1), size: picture.size, last: types.at(-1), length: bytes.length,
    expected: outputs[0].size, byName: byName.length, path, missing,
  };
} catch (error) {
  window.result = { failed: String(error.stack ?? error) };
}
</script>`;

describe('the packed client, in a project that has nothing else of this repository', () => {
  let project: Awaited<ReturnType<typeof installPackage>>;
  let server: RunningServer;
  before(async () => {
    project = await installPackage();
    server = await startServer();
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await project?.[Symbol.asyncDispose]();
  });

  test('has no dependencies, and neither sources nor tests', async () => {
    const modules = join(project.path, 'node_modules');
    assert.deepEqual(
      (await readdir(modules)).filter((name) => !name.startsWith('.')),
      ['@atelier'],
    );
    assert.deepEqual(await readdir(join(modules, '@atelier')), ['sdk']);
    const files = await readdir(join(modules, '@atelier/sdk'), { recursive: true });
    const unexpected = files.filter((name) => /\.test\.|(?<!\.d)\.ts$/.test(name));
    assert.deepEqual(unexpected, []);
    for (const file of files.filter((name) => /\.(js|d\.ts)$/.test(name))) {
      const text = await readFile(join(modules, '@atelier/sdk', file), 'utf8');
      assert.doesNotMatch(text, /@atelier\/contracts|typebox|from '[^']+\.ts'/, file);
    }
  });

  test('runs under Node 20', async (context) => {
    const node = await findNode20();
    if (node === undefined) context.diagnostic(`there is no Node 20 here: run by ${process.version}`);
    const { key } = await newClient(server);
    await writeFile(join(project.path, 'photo.png'), await face());
    await writeFile(join(project.path, 'main.js'), PROGRAM);
    const output = await runIn(project.path, node ?? process.execPath, ['main.js'], {
      ATELIER_URL: server.url,
      ATELIER_API_KEY: key,
    });
    const [first = '', second] = output.trim().split('\n');
    assert.match(first, /^v\d+\.\S+ out.node_00001_\.png$/);
    if (node !== undefined) assert.match(first, /^v20\./);
    assert.equal(second, 'true StringFormat');
    assert.deepEqual(await readdir(join(project.path, 'out')), ['node_00001_.png']);
  });

  test('has types that need no other package', async () => {
    await writeFile(join(project.path, 'typed.ts'), TYPED);
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      module: 'nodenext',
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
    };
    await writeFile(
      join(project.path, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['typed.ts'] }),
    );
    assert.equal(await typeCheck(project.path), '');
  });

  test('works in a browser, as plain modules', async () => {
    const { key } = await newClient(server);
    const photo = await face();
    using pages = await serveFolder(join(project.path, 'node_modules/@atelier'), {
      '/': ['text/html', PAGE],
      '/photo.png': ['image/png', photo],
    });
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      const query = new URLSearchParams({ url: server.url, key });
      await page.goto(`${pages.url}/?${query}`);
      const handle = await page.waitForFunction('window.result', undefined, { timeout: PATIENCE_MS });
      const result = (await handle.jsonValue()) as Record<string, unknown>;
      assert.equal(result['failed'], undefined);
      assert.equal(result['isNew'], true);
      assert.equal(result['loaded'], result['size']);
      assert.equal(result['last'], 'execution_success');
      assert.equal(result['length'], result['expected']);
      assert.equal(result['byName'], result['expected']);
      assert.match(String(result['path']), /Node, Deno and Bun only/);
      const missing = result['missing'] as { code: string; requestId: string };
      assert.equal(missing.code, 'resource.not_found');
      assert.ok(missing.requestId);
    } finally {
      await browser.close();
    }
  });
});
