import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startServer, temporaryFolder } from '@atelier/testing';

import { runGuide, stepsOf } from '../support/guide.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Those that a reader follows from top to bottom on a new server. */
const GUIDES = [
  'README.md',
  'docs/guide/first-steps.md',
  'docs/guide/generation.md',
  'docs/guide/publishing.md',
  'docs/guide/uploads.md',
  'docs/guide/workflows.md',
];

describe('guides, word by word', { concurrency: 2 }, () => {
  for (const guide of GUIDES) {
    test(`${guide} works as it is written, and answers are as it shows them`, async () => {
      await using server = await startServer();
      await using folder = await temporaryFolder();
      // What a reader has in the folder of the project.
      await symlink(server.dataFolder, join(folder.path, 'data'));
      await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
      const text = await readFile(join(ROOT, guide), 'utf8');
      await runGuide(stepsOf(text.replaceAll('http://127.0.0.1:8080', server.url)), { folder: folder.path });
    });
  }
});
