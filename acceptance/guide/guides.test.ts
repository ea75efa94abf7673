import assert from 'node:assert/strict';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { freePort, longTest, startServer, temporaryFolder } from '@atelier/testing';
import { runGuide, stepsOf } from '../support/guide.ts';
import { startModelComfyUi } from '../support/model-comfyui.ts';

const ROOT = join(import.meta.dirname, '../..');
/** What a newcomer reads. */
const FIRST_GUIDES = ['README.md', 'docs/guide/first-steps.md', 'docs/guide/workers.md'];
/** The others that a reader follows from top to bottom on a new server. */
const OTHER_GUIDES = [
  'docs/guide/command-line.md',
  'docs/guide/generation.md',
  'docs/guide/library.md',
  'docs/guide/publishing.md',
  'docs/guide/recipes.md',
  'docs/guide/sdk-v2.md',
  'docs/guide/uploads.md',
  'docs/guide/webhooks.md',
  'docs/guide/workflows.md',
];

const WORKER = join(ROOT, 'packages/worker/start.js');

/** What a reader has in the folder, and results that are theirs to keep. */
const KEPT = /^(?:\.npm|data|node_modules|examples|cache|worker\.log)$|\.(?:png|jpg|mp4)$/;

describe('guides, word by word', { concurrency: 2 }, () => {
  for (const guide of [...FIRST_GUIDES, ...OTHER_GUIDES]) {
    const declare = FIRST_GUIDES.includes(guide) ? test : longTest;
    declare(`${guide} works as it is written, and answers are as it shows them`, async () => {
      const receiver = `127.0.0.1:${await freePort()}`;
      await using comfy = await startModelComfyUi(['sd15.safetensors']);
      const environment = {
        ATELIER_OUTBOUND_ALLOW: receiver,
        ...(guide.endsWith('/workers.md') && { ATELIER_COMFYUI_URLS: comfy.url }),
      };
      await using server = await startServer({ environment });
      await using folder = await temporaryFolder();
      // What a reader has in the folder of the project.
      await symlink(server.dataFolder, join(folder.path, 'data'));
      for (const name of ['node_modules', 'examples'])
        await symlink(join(ROOT, name), join(folder.path, name));
      const text = await readFile(join(ROOT, guide), 'utf8');
      const here = text
        .replaceAll('http://127.0.0.1:8080', server.url)
        // The second machine is this one, in the background.
        .replaceAll('http://first-machine:8080', server.url)
        .replaceAll(
          /^npm install\nnpm run worker -- (.*)$/gm,
          `node ${WORKER} $1 --cache cache > worker.log 2>&1 &`,
        )
        .replaceAll('127.0.0.1:9000', receiver)
        .replaceAll('listen(9000,', `listen(${receiver.split(':')[1]},`);
      await runGuide(stepsOf(here), { folder: folder.path });
      const left = (await readdir(folder.path)).filter((name) => !KEPT.test(name));
      assert.deepEqual(left, [], 'files that the guide leaves behind');
    });
  }
});
