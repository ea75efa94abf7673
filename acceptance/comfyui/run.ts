/**
 * `npm run test:comfyui -- http://127.0.0.1:8188 [--models FOLDER]`: runs workflows at a real ComfyUI and through an Atelier in front
 * of it, and compares what users see. With a second ComfyUI and its folder, two users run their models at the same time. Ends with one
 * line: N passed, N failed.
 */
import { parseArgs } from 'node:util';
import { startServer } from '@atelier/testing';

import { newSubmitter } from '../support/cloud.ts';
import { startRemoteWorker } from '../support/remote-worker.ts';
import type { Case } from './case.ts';
import { checkCase } from './check-case.ts';
import { makeCheckpoint } from './make-checkpoints.ts';
import { call, type Side } from './side.ts';
import { findLeaks } from './two-users.ts';
import { ALL_CASES } from './workflows/all-cases.ts';
import { NO_TYPE } from './workflows/errors.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { models: { type: 'string', multiple: true, default: [] }, only: { type: 'string', default: '' } },
});
const [url, secondUrl] = positionals;
const [models, secondModels = models] = options.models;
if (url === undefined || !URL.canParse(url)) {
  process.stderr.write(
    'Usage: npm run test:comfyui -- URL [SECOND_URL] [--models FOLDER [--models SECOND_FOLDER]] [--only WORDS]\n',
  );
  process.exit(2);
}

const counts = { passed: 0, failed: 0, skipped: 0 };
const comfyUi: Side = { name: 'ComfyUI', url: url.replace(/\/$/, ''), key: '' };
if (models !== undefined) for (const seed of [1, 2] as const) await makeCheckpoint(models, seed);
if (secondModels !== undefined && secondModels !== models) await makeCheckpoint(secondModels, 2);
const types = new Set(Object.keys((await call(comfyUi, '/object_info')).body as object));
{
  await using server = await startServer();
  await using worker = await startRemoteWorker(server, {
    name: 'comfyui',
    args: ['--comfyui', comfyUi.url],
  });
  const { key } = await newSubmitter(server);
  const atelier: Side = { name: 'Atelier', url: server.url, key };
  for (const one of ALL_CASES.filter(({ title }) => title.includes(options.only))) {
    const missing = whyNot(one);
    if (missing !== undefined) {
      report('skipped', one.title, [missing]);
      continue;
    }
    const found = await checkCase(one, { comfyUi, atelier }).catch((error: unknown) => [String(error)]);
    report(found.length === 0 ? 'passed' : 'failed', one.title, found);
  }
  if (secondUrl !== undefined && models !== undefined) {
    await using _second = await startRemoteWorker(server, {
      name: 'second',
      args: ['--comfyui', secondUrl],
    });
    const found = await findLeaks(server).catch((error: unknown) => [String(error)]);
    report(
      found.length === 0 ? 'passed' : 'failed',
      'two users with different models see only their own',
      found,
    );
  }
  if (counts.failed > 0) process.stdout.write(`\n── the worker\n${worker.output()}\n`);
}
if (models === undefined) process.stdout.write('\nWithout --models FOLDER no workflow used a model.\n');
process.stdout.write(`\n${counts.skipped} skipped\n${counts.passed} passed, ${counts.failed} failed\n`);
process.exit(counts.failed > 0 ? 1 : 0);

function whyNot({ workflow, needsModels = false }: Case): string | undefined {
  if (needsModels && models === undefined) return 'no --models';
  const missing = Object.values(workflow('', 0))
    .map((node) => node.class_type)
    .find((type) => type !== NO_TYPE && !types.has(type));
  return missing && `this ComfyUI has no ${missing}`;
}

function report(outcome: keyof typeof counts, title: string, lines: readonly string[]): void {
  counts[outcome] += 1;
  process.stdout.write(`${outcome}: ${title}\n`);
  for (const line of lines) process.stdout.write(`${line.replaceAll(/^/gm, '    ')}\n`);
}
