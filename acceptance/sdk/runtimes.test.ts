import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isLongRun, type RunningServer, startServer } from '@atelier/testing';

import { newClient } from '../support/sdk.ts';
import { findProgram, installPackage, runIn } from '../support/sdk-package.ts';
import { face } from '../support/test-pictures.ts';

/** Uploads, submits, follows, downloads, saves and fails, and prints what a test can judge. */
const PROGRAM = `
import { AtelierError, createAtelier, file, JobFailedError, loadWorkflow, verifyWebhook } from '@atelier/sdk';

const atelier = createAtelier();
const sent = [];
const uploaded = await atelier.files.upload(file('photo.png'), { onProgress: ({ loaded }) => sent.push(loaded) });
const workflow = loadWorkflow({
  1: { class_type: 'LoadImage', inputs: { image: '' } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'made' } },
});
workflow.set('LoadImage.image', file('photo.png'));
const job = await atelier.jobs.submit(workflow);
const types = [];
for await (const { type } of job.events({ previews: true })) types.push(type);
const fractions = [];
const { outputs: [output] } = await job.result({ onProgress: ({ fraction }) => fractions.push(fraction) });
const saved = await output.saveTo('out-' + process.argv[2] + '/');
const bytes = await output.download();
let streamed = 0;
for await (const part of output.stream()) streamed += part.length;
const failed = await atelier.jobs.run({
  1: { class_type: 'StringFormat', inputs: { f_string: '{' } },
  2: { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
}).catch((error) => error instanceof JobFailedError && error.nodeType);
const aborted = await atelier.jobs.get(job.id, { signal: AbortSignal.abort('enough') }).catch((reason) => reason);
const missing = await atelier.files.upload(file('none.png')).catch((error) => error instanceof AtelierError && error.code);
const down = await createAtelier({ url: 'http://127.0.0.1:1', retries: 0 }).server.version().catch(({ code }) => code);
const forged = await verifyWebhook('{}', new Headers(), 'whsec_AAAA').catch(({ code }) => code);
console.log(JSON.stringify({
  isNew: uploaded.isNew, sent: sent.at(-1), size: uploaded.asset.size, last: types.at(-1), fraction: fractions.at(-1), saved,
  expected: output.size, length: bytes.length, streamed, failed, aborted, missing, down, forged,
}));
`;

/** How each runs a file with all rights. Those of Deno ask for every right otherwise. */
const RUNTIMES = { deno: ['run', '--allow-all', 'main.js'], bun: ['run', 'main.js'], node: ['main.js'] };

describe('the packed client under other runtimes', {
  skip: !isLongRun && 'only with npm run test:long',
}, () => {
  let project: Awaited<ReturnType<typeof installPackage>>;
  let server: RunningServer;
  before(async () => {
    project = await installPackage();
    server = await startServer();
    await writeFile(join(project.path, 'photo.png'), await face());
    await writeFile(join(project.path, 'main.js'), PROGRAM);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await project?.[Symbol.asyncDispose]();
  });

  for (const [runtime, args] of Object.entries(RUNTIMES)) {
    test(`${runtime} uploads, submits, follows, downloads and saves`, async (context) => {
      const program = await findProgram(runtime, /^/);
      if (program === undefined) {
        context.skip(`${runtime} is not installed: put it on the PATH, for example from its npm package`);
        return;
      }
      const { key } = await newClient(server);
      const environment = { ATELIER_URL: server.url, ATELIER_API_KEY: key, NO_COLOR: '1' };
      const output = await runIn(project.path, program, [...args, runtime], environment);
      const { saved, ...result } = JSON.parse(output) as Record<string, unknown>;
      const size = (await readFile(join(project.path, 'photo.png'))).length;
      assert.deepEqual(result, {
        isNew: true,
        sent: size,
        size,
        last: 'execution_success',
        fraction: 1,
        expected: result['expected'],
        length: result['expected'],
        streamed: result['expected'],
        failed: 'StringFormat',
        aborted: 'enough',
        missing: 'client.file',
        down: 'client.connection',
        forged: 'client.webhook',
      });
      assert.deepEqual(await readdir(join(project.path, `out-${runtime}`)), ['made_00001_.png']);
      const file = await readFile(join(project.path, String(saved)));
      assert.equal(file.length, result['expected']);
    });
  }
});
