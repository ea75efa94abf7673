/**
 * `npm run console:screenshots`: every page at three widths in both themes, on a server with realistic data, into `screenshots/`. With `--docs`
 * only those that the README and the guide show, into `docs/images/`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Atelier, createAtelier } from '@atelier/sdk';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

import { settled, startConsole } from '../support/console.ts';
import { fillRegistry } from '../support/console-registry.ts';
import { portraitWorkflow } from '../support/graph-workflows.ts';
import { face } from '../support/test-pictures.ts';
import { failingWorkflow } from '../support/workflows.ts';

const ROOT = join(import.meta.dirname, '../..');
const WIDTHS = [390, 1280, 1920] as const;
const THEMES = ['light', 'dark'] as const;
const QUALITY = 82;
/** Gives pictures and charts the time to appear. */
const SETTLE_MS = 1500;

/** Has made nothing yet. */
const NEWCOMER = { email: 'ada@example.com', password: 'correct horse battery' };

const isForDocs = process.argv.includes('--docs');
const folder = join(ROOT, isForDocs ? 'docs/images' : 'screenshots');
await mkdir(folder, { recursive: true });

await using app = await startConsole();
const atelier = createAtelier({ url: app.server.url, apiKey: app.server.admin.api_key });
const { jobId, otherId, graphId, failedId, skinId, relit } = await fill(atelier);
await fillRegistry(app.server);

type Person = 'newcomer' | 'nobody';

/** By the name of the file. Those with a mark are in the documents. */
const PAGES: Readonly<
  Record<string, { readonly path: string; readonly isInDocs?: true; readonly as?: Person }>
> = {
  'sign-in': { path: '/sign-in', as: 'nobody' },
  welcome: { path: '/', as: 'newcomer' },
  home: { path: '/', isInDocs: true },
  workflows: { path: '/workflows', isInDocs: true },
  form: { path: `/workflows/open?job=${jobId}`, isInDocs: true },
  graph: { path: `/workflows/open?job=${graphId}&view=graph`, isInDocs: true },
  jobs: { path: '/jobs', isInDocs: true },
  job: { path: `/jobs/${jobId}`, isInDocs: true },
  'job-failed': { path: `/jobs/${failedId}` },
  compare: { path: `/jobs/compare?a=${jobId}&b=${otherId}` },
  'compare-failed': { path: `/jobs/compare?a=${jobId}&b=${failedId}` },
  gallery: { path: '/gallery', isInDocs: true },
  'studio-skin': { path: `/studio?tool=skin&task=${skinId}` },
  'studio-empty': { path: '/studio?tool=skin', as: 'newcomer' },
  'gallery-empty': { path: '/gallery', as: 'newcomer' },
  'jobs-empty': { path: '/jobs', as: 'newcomer' },
  'studio-relight': { path: `/studio?tool=relight&task=${relit.task}`, isInDocs: true },
  'studio-video': { path: '/studio?tool=video' },
  registry: { path: '/registry', isInDocs: true },
  pack: { path: '/registry/packs/northlight-relight', isInDocs: true },
  publishers: { path: '/registry/publishers' },
  review: { path: '/registry/review' },
  workers: { path: '/workers', isInDocs: true },
  'admin-overview': { path: '/admin', isInDocs: true },
  'admin-users': { path: '/admin?tab=users' },
  'admin-jobs': { path: '/admin?tab=jobs' },
  'admin-storage': { path: '/admin?tab=storage' },
  'admin-webhooks': { path: '/admin?tab=webhooks' },
  'admin-audit': { path: '/admin?tab=audit' },
  'admin-settings': { path: '/admin?tab=settings' },
  account: { path: '/account' },
  'account-keys': { path: '/account?tab=keys', isInDocs: true },
  'account-credits': { path: '/account?tab=credits' },
  'account-storage': { path: '/account?tab=storage' },
  'account-webhooks': { path: '/account?tab=webhooks' },
};

for (const theme of isForDocs ? (['light'] as const) : THEMES) {
  for (const width of isForDocs ? ([1280] as const) : WIDTHS) {
    const view = { width, height: width === 390 ? 844 : 860, theme };
    const pages = {
      admin: await app.open('/', view),
      newcomer: await app.open('/', { ...view, as: NEWCOMER }),
      nobody: await app.openSignedOut(view),
    };
    // The browser that made a task knows of which picture.
    await pages.admin.evaluate(
      (sources) => localStorage.setItem('atelier.studio.sources', sources),
      JSON.stringify([[relit.task, relit.of]]),
    );
    for (const [name, { path, isInDocs, as = 'admin' }] of Object.entries(PAGES)) {
      if (isForDocs && !isInDocs) continue;
      const page = pages[as];
      await page.goto(`/console${path}`);
      await settled(page);
      await page.waitForTimeout(SETTLE_MS);
      await save(page, isForDocs ? `console-${name}` : `${name}-${width}-${theme}`);
    }
    for (const page of Object.values(pages)) await page.context().close();
  }
}

async function save(page: Page, name: string): Promise<void> {
  const picture = await page.screenshot();
  await writeFile(join(folder, `${name}.webp`), await sharp(picture).webp({ quality: QUALITY }).toBuffer());
  process.stdout.write(`${name}\n`);
}

/** Jobs that ran, one that failed, a saved workflow, uploads, a generation and a key. */
async function fill(client: Atelier) {
  const ids: Record<string, string> = {};
  for (const { name, title } of await client.workflows.examples()) {
    const job = await client.jobs.submit(await client.workflows.example(name), {
      workflowName: title,
      tags: ['example'],
    });
    await job.result();
    ids[name] = job.id;
    await client.workflows.save(await client.workflows.example(name), { name: title });
  }
  const sign = JSON.stringify(await client.workflows.example('neon-sign')).replaceAll(
    'open late',
    'good night',
  );
  const other = await client.jobs.submit(sign, { workflowName: 'Neon sign', tags: ['client', 'draft 2'] });
  await other.result();
  const failed = await client.jobs.submit(failingWorkflow(), { workflowName: 'Night portrait' });
  await failed.result().catch(() => {});
  const portrait = new File([new Uint8Array(await face({ width: 640, height: 480 }))], 'portrait.png');
  const { name: picture } = await client.files.upload(portrait);
  const drawn = portraitWorkflow(picture);
  const retouch = await client.jobs.submit(drawn, {
    workflowName: 'Portrait retouch',
    extraData: { extra_pnginfo: { workflow: drawn } },
  });
  await retouch.result();
  const task = await client.generation.skin.faithful({ image: portrait });
  await task.result();
  const [dusk] = await client.jobs.attach(ids['mountains-at-dusk'] ?? '').outputs();
  const relighting = await client.generation.relight({
    image: new File([(await dusk?.download()) ?? ''], 'dusk.png'),
    prompt: 'bright morning sun from the left, warm golden light',
  });
  await relighting.result();
  await client.keys.create({ name: 'render script', scopes: ['workflows'] });
  for (const email of [
    NEWCOMER.email,
    'grace@example.com',
    'a.very.long.name.of.a.person@a-long-domain.example.com',
  ])
    await client.admin.users.create({ email, password: NEWCOMER.password });
  return {
    jobId: ids['neon-sign'] ?? '',
    otherId: other.id,
    graphId: retouch.id,
    failedId: failed.id,
    skinId: task.id,
    relit: { task: relighting.id, of: dusk?.id ?? '' },
  };
}
