import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { longTest, type RunningServer } from '@atelier/testing';
import type { Page } from 'playwright-core';

import { finish, submit, untilStatus } from '../support/cloud.ts';
import { type Console, findBarriers, startConsole } from '../support/console.ts';
import { HOLDING, submitHeld } from '../support/held-jobs.ts';
import { type Client, client } from '../support/http-client.ts';
import { failingWorkflow, pictureWorkflow, textWorkflow, type Workflow } from '../support/workflows.ts';

/** As many as run at once. */
const SLOTS = Number(HOLDING.ATELIER_RUNNERS);
const HOSTILE = '<img src=x onerror=alert(1)>';

/** The administrator's own jobs, as the console shows them. */
const apiOf = (server: RunningServer): Client => client(server.url, { apiKey: server.admin.api_key });
const called = (name: string, tags?: readonly string[]) => ({ extra_data: { workflow_name: name, tags } });
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** A row has its state in two places, one for narrow windows. */
const inState = (page: Page, name: string, state: string) =>
  row(page, name).getByText(state).filter({ visible: true }).first();

/** Works step by step until it is let go. */
function stepsWorkflow(until: string): Workflow {
  return { steps: { class_type: 'TestSteps', inputs: { until } } };
}

describe('jobs in the console', () => {
  let app: Console;
  let api: Client;
  before(async () => {
    app = await startConsole(HOLDING);
    api = apiOf(app.server);
  });
  afterEach(async () => await app.closePages());
  after(async () => {
    await app[Symbol.asyncDispose]();
  });

  test('the list is empty at first, and shows jobs as they come, run and end', async () => {
    await using page = await app.open('/jobs');
    await page.getByText('No jobs yet.').waitFor();
    const job = await submitHeld(app.server, api, called('Held one'));
    await inState(page, 'Held one', 'Running').waitFor();
    await job.letGo();
    await inState(page, 'Held one', 'Done').waitFor();
  });

  test('filters live in the address, and Back undoes them', async () => {
    await finish(api, pictureWorkflow(), called('Filtered picture', ['red', 'final']));
    await finish(api, failingWorkflow(), called('Filtered failure', ['red']));
    await using page = await app.open('/jobs?tag=red');
    await row(page, 'Filtered picture').waitFor();
    await page.getByRole('link', { name: 'Failed' }).click();
    await page.waitForURL(/status=failed/);
    await row(page, 'Filtered picture').waitFor({ state: 'detached' });
    await row(page, 'Filtered failure').getByText('none of them is alpha').waitFor();
    await page.goBack();
    await row(page, 'Filtered picture').waitFor();
    await page.getByRole('combobox', { name: 'Tag' }).click();
    await page.getByRole('option', { name: 'final' }).click();
    await row(page, 'Filtered failure').waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Workflow' }).click();
    await page.getByRole('option', { name: 'Filtered failure' }).click();
    await page.getByText('No job matches these filters.').waitFor();
    assert.match(page.url(), /workflow=Filtered/);
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
    await row(page, 'Filtered failure').waitFor();
    assert.doesNotMatch(page.url(), /\?./);
  });

  test('many jobs are selected by the keyboard and cancelled at once', async () => {
    const name = `Many ${randomUUID()}`;
    for (let n = 0; n < 6; n += 1) await submitHeld(app.server, api, called(name));
    await using page = await app.open(`/jobs?${new URLSearchParams({ workflow: name })}`);
    const rows = row(page, name);
    await rows.nth(5).waitFor();
    await rows.first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Cancel 6 jobs' }).click();
    await page.getByRole('dialog').getByText('the rest is lost').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 6 jobs' }).click();
    await page.getByText('6 jobs cancelled').waitFor();
    await page.waitForFunction(
      () =>
        document.querySelectorAll('[role=row][data-job]').length === 6 &&
        [...document.querySelectorAll('[role=row][data-job]')].every((each) =>
          each.textContent?.includes('Cancelled'),
        ),
    );
  });

  test('a failed job says the sentence first, then where, what to try, and the traceback when it is asked for', async () => {
    const { prompt_id: id } = await finish(api, failingWorkflow(), called('Failing'));
    await using page = await app.open(`/jobs/${id}`);
    await page.getByRole('alert').getByText('none of them is alpha').waitFor();
    await page.getByText('Check the inputs of ImageToMask').waitFor();
    const traceback = page.getByRole('region', { name: 'Traceback' });
    assert.equal(await traceback.isVisible(), false);
    await page.getByText('Traceback', { exact: true }).click();
    await traceback.waitFor();
    assert.match((await traceback.textContent()) ?? '', /\S/);
    await page.getByRole('main').getByRole('button', { name: 'ImageToMask', exact: true }).click();
    await page.getByRole('button', { name: /^ImageToMask failed/, expanded: true }).waitFor();
    assert.match(page.url(), /node=/);
  });

  test('the timeline has a bar for each node, hollow when it was cached, and opens to inputs and outputs', async () => {
    const color = 0x12_34_56;
    await finish(api, pictureWorkflow({ color, prefix: 'earlier' }));
    const { prompt_id: id } = await finish(
      api,
      pictureWorkflow({ color, prefix: 'timeline' }),
      called('Cached'),
    );
    await using page = await app.open(`/jobs/${id}`);
    await page.getByRole('button', { name: /^EmptyImage cached/ }).click();
    await page.getByRole('list', { name: 'Nodes in the order' }).getByText('batch_size').waitFor();
    await page.getByRole('button', { name: /^SaveImage done/ }).click();
    await page
      .getByRole('list', { name: 'Nodes in the order' })
      .getByRole('link', { name: /Open timeline/ })
      .waitFor();
    await page.getByRole('img', { name: /timeline.*made by SaveImage/ }).waitFor();
    await page.getByRole('tab', { name: 'Workflow' }).click();
    await page.getByRole('region', { name: 'The workflow as JSON' }).getByText('EmptyImage').waitFor();
  });

  test('a job that runs shows its node and progress, and is cancelled from its page', async () => {
    const until = join(app.server.dataFolder, `steps-${randomUUID()}`);
    const { prompt_id: id } = await submit(api, stepsWorkflow(until), called('Step by step'));
    await using page = await app.open(`/jobs/${id}`);
    await page
      .getByRole('main')
      .getByText(/^\d+\/100000$/)
      .waitFor();
    await page.getByRole('main').getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Cancel job' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 1 job' }).click();
    await page.getByRole('main').getByText('Cancelled').waitFor();
  });

  test('a job that waits shows its place in the queue, and runs there when its turn comes', async () => {
    const name = `Waiting ${randomUUID()}`;
    const running = await Promise.all(
      Array.from({ length: SLOTS }, async () => await submitHeld(app.server, api, called(name))),
    );
    for (const { prompt_id: id } of running) await untilStatus(api, id, ['in_progress']);
    const waiting = await submitHeld(app.server, api, called(name));
    await using page = await app.open(`/jobs/${waiting.prompt_id}`);
    await page.getByText('Next in your queue').waitFor();
    await page.getByText('Waits for a worker to become free.').waitFor();
    for (const job of running) await job.letGo();
    await page.getByText('Next in your queue').waitFor({ state: 'detached' });
    await page.getByRole('main').getByText('Running').first().waitFor();
    await waiting.letGo();
    await page.getByRole('main').getByText('Done').first().waitFor();
  });

  test('the tray follows a job on every page, shows its end and closes', async () => {
    const job = await submitHeld(app.server, api, called('In the tray'));
    await using page = await app.open('/gallery');
    const tray = page.getByRole('complementary', { name: 'Activity' });
    await tray.getByText('1 job running').waitFor();
    await tray.getByRole('link', { name: 'In the tray' }).waitFor();
    await job.letGo();
    await tray.getByText('Done').waitFor();
    await tray.waitFor({ state: 'detached' });
  });

  test('on a phone the tray covers nothing', async () => {
    const job = await submitHeld(app.server, api, called('On the phone'));
    await using page = await app.open('/jobs', { width: 390, height: 844 });
    const tray = page.getByRole('complementary', { name: 'Activity' });
    await tray.waitFor();
    const action = page.getByRole('link', { name: 'Run a workflow' }).first();
    const [above, below] = [await tray.boundingBox(), await action.boundingBox()];
    assert.ok(above && below && above.y + above.height <= below.y);
    await action.click();
    await page.waitForURL('**/workflows');
    await job.letGo();
  });

  test('a job runs again with every digit of its seed', async () => {
    const seed = '9007199254740993';
    const prompt = `{"1":{"class_type":"PrimitiveInt","inputs":{"value":${seed}}},"2":{"class_type":"PreviewAny","inputs":{"source":["1",0]}}}`;
    const answer = await fetch(`${app.server.url}/api/prompt?wait=60`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.server.admin.api_key}`, 'content-type': 'application/json' },
      body: `{"prompt":${prompt},"extra_data":{"workflow_name":"Seeded"}}`,
    });
    const { prompt_id: id } = (await answer.json()) as { prompt_id: string };
    await using page = await app.open(`/jobs/${id}`);
    await page.getByRole('region', { name: 'Inputs' }).getByText(seed).waitFor();
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.waitForURL((url) => url.pathname.includes('/jobs/') && !url.pathname.includes(id));
    await page.getByRole('heading', { name: 'Seeded' }).waitFor();
    await page.getByRole('region', { name: 'Inputs' }).getByText(seed).waitFor();
  });

  test('a job runs again with changes in the form of its workflow', async () => {
    const { prompt_id: id } = await finish(api, textWorkflow('a text to change'), called('To be changed'));
    await using page = await app.open(`/jobs/${id}`);
    await page.getByRole('link', { name: 'Run with changes' }).click();
    await page.waitForURL('**/workflows/open?**');
    await page.getByText('a text to change').first().waitFor();
  });

  test('two jobs are compared: settings that differ, and their pictures under one slider', async () => {
    const name = `Pair ${randomUUID()}`;
    await finish(api, pictureWorkflow({ color: 0xff_00_00, width: 64 }), called(name));
    await finish(api, pictureWorkflow({ color: 0x00_ff_00, width: 64 }), called(name));
    await using page = await app.open(`/jobs?${new URLSearchParams({ workflow: name })}`);
    await page.getByRole('checkbox', { name: 'Select all loaded jobs' }).click();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL('**/jobs/compare**');
    const table = page.getByRole('table');
    await table.getByText(String(0xff_00_00)).waitFor();
    await table.getByText(String(0x00_ff_00)).waitFor();
    assert.equal(await table.getByText('width').count(), 0);
    const slider = page.getByRole('slider');
    const isAt = async (value: number) =>
      await page.locator(`[role="slider"][aria-valuenow="${value}"]`).waitFor();
    await slider.focus();
    await page.keyboard.press('End');
    await isAt(100);
    await page.keyboard.press('ArrowLeft');
    await isAt(98);
    // The pictures may still be on their way, and have no size before.
    await page.waitForFunction(() => [...document.images].every(({ naturalWidth }) => naturalWidth > 0));
    const box = await page.getByRole('img', { name: 'A' }).boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
    await isAt(25);
  });

  test('messages about a job are listed with their tries', async () => {
    const { prompt_id: id } = await finish(api, textWorkflow(), {
      ...called('With a webhook'),
      webhook_url: 'https://receiver.invalid/hook',
    });
    await using page = await app.open(`/jobs/${id}`);
    await page.getByRole('tab', { name: /Webhooks/ }).click();
    await page.getByRole('cell', { name: 'job.completed' }).waitFor();
    await page.getByRole('button', { name: 'Send again' }).waitFor();
  });

  test('names full of markup are shown as they are', async () => {
    const workflow = {
      '1': { class_type: 'PrimitiveString', inputs: { value: HOSTILE }, _meta: { title: HOSTILE } },
      '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
    };
    const { prompt_id: id } = await finish(api, workflow, called(HOSTILE, [HOSTILE]));
    await using page = await app.open('/jobs');
    page.on('dialog', () => assert.fail('a script of a name has run'));
    await row(page, HOSTILE).first().waitFor();
    assert.equal(await page.locator('img[src="x"]').count(), 0);
    await page.goto(`/console/jobs/${id}`);
    await page.getByRole('heading', { name: HOSTILE, level: 1 }).waitFor();
    await page
      .getByRole('button', { name: new RegExp(`^${HOSTILE.replaceAll(/[()]/g, String.raw`\$&`)}`) })
      .click();
    await page.getByRole('tab', { name: 'Workflow' }).click();
    assert.equal(await page.locator('img[src="x"]').count(), 0);
  });

  longTest('there are no barriers on the list, on a job and between two, in either theme', async () => {
    const a = await finish(api, pictureWorkflow(), called('Without barriers', ['tag']));
    const b = await finish(api, failingWorkflow(), called('Failed without barriers'));
    const held = await submitHeld(app.server, api, called('Running without barriers'));
    await using page = await app.open('/jobs');
    await inState(page, 'Running without barriers', 'Running').waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole('checkbox', { name: 'Select all loaded jobs' }).click();
    await page.getByRole('toolbar').waitFor();
    assert.deepEqual(await findBarriers(page), []);
    for (const path of [
      `/jobs/${a.prompt_id}?node=1`,
      `/jobs/${b.prompt_id}?node=2`,
      `/jobs/${held.prompt_id}`,
      `/jobs/compare?a=${a.prompt_id}&b=${b.prompt_id}`,
    ]) {
      await page.goto(`/console${path}`);
      await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();
      assert.deepEqual(await findBarriers(page), [], path);
    }
    await held.letGo();
    await untilStatus(api, held.prompt_id);
  });
});

describe('a long history of jobs', () => {
  test('200 jobs are one list that loads as it is read, with few rows in the page', async () => {
    await using app = await startConsole(HOLDING);
    const api = apiOf(app.server);
    for (let n = 0; n < 200; n += 1) {
      const { prompt_id: id } = await submit(api, textWorkflow(`text ${n}`), called(`Number ${n}`));
      // No more than 100 may wait.
      if (n % 50 === 49) await untilStatus(api, id);
    }
    await using page = await app.open('/jobs');
    await row(page, 'Number 199').waitFor();
    await row(page, 'Number 199').focus();
    await page.keyboard.press('End');
    await row(page, 'Number 100').waitFor();
    // The older half is loaded when its beginning comes near.
    await page.waitForFunction(
      () => document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '201',
    );
    await page.keyboard.press('End');
    await page.getByRole('link', { name: 'Number 0', exact: true }).waitFor();
    assert.ok((await page.locator('[role=row][data-job]').count()) < 60);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Number 0' }).waitFor();
  });
});

describe('a server that is killed and comes back', () => {
  test('shows a notice, and needs no reload: the list is right afterwards', async () => {
    const app = await startConsole(HOLDING);
    let server = app.server;
    try {
      const held = await submitHeld(server, apiOf(server), called('Begun before'));
      await finish(apiOf(server), textWorkflow(), called('Ended before'));
      await using page = await app.open('/jobs');
      await inState(page, 'Begun before', 'Running').waitFor();
      await page.evaluate(() => Object.assign(window, { isSamePage: true }));
      await server.stop('SIGKILL');
      await page.getByRole('status').getByText('The server is away').waitFor();
      await row(page, 'Ended before').waitFor();
      server = await server.restart({ ATELIER_PORT: new URL(server.url).port });
      await held.letGo();
      await page.getByText('The server is away').waitFor({ state: 'detached' });
      await inState(page, 'Begun before', 'Done').waitFor();
      await finish(apiOf(server), textWorkflow(), called('Begun afterwards'));
      await inState(page, 'Begun afterwards', 'Done').waitFor();
      assert.equal(await page.evaluate(() => 'isSamePage' in window), true);
    } finally {
      await server.stop('SIGKILL');
      await app[Symbol.asyncDispose]();
    }
  });
});
