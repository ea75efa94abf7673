import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';

import { type Console, startConsole } from '../support/console.ts';
import { adminClient } from '../support/sdk.ts';
import { pictureWorkflow } from '../support/workflows.ts';

describe('the frame of the console', () => {
  let app: Console;
  before(async () => {
    app = await startConsole();
  });
  afterEach(async () => await app.closePages());
  after(async () => {
    await app[Symbol.asyncDispose]();
  });

  test('names each page in the title of the window, and gives it the keyboard', async () => {
    const page = await app.open('/');
    await page.getByRole('button', { name: 'Run Color field' }).waitFor();
    assert.equal(await page.title(), 'Home · Atelier');
    await page.getByRole('link', { name: 'Open Color field' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Color field' }).waitFor();
    assert.equal(await page.title(), 'Color field · Atelier');
    await page.getByRole('main').and(page.locator(':focus')).waitFor();
    await page.goto('/console/there/is/nothing');
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    await page.getByRole('link', { name: 'Workflows' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Workflows' }).waitFor();
    await page.goto('/console/jobs/nothing');
    await page.getByRole('alert').getByText('There is no job').waitFor();
  });

  test('leads to the sign-in when a session has ended, and back to what was being edited', async () => {
    const { id } = await adminClient(app.server).workflows.save(pictureWorkflow(), { name: 'in work' });
    const page = await app.open(`/workflows/open?saved=${encodeURIComponent(id)}`);
    const width = page.getByLabel('Width').first();
    await width.fill('77');
    await page.context().clearCookies();
    // Whatever asks the server first finds it out; the person may be faster.
    await page.keyboard.press('Control+Enter');
    await page.waitForURL('**/sign-in?**');
    await page.getByLabel('E-mail').fill(app.server.admin.email);
    await page.getByLabel('Password').fill(app.server.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/workflows/open?saved=**');
    assert.equal(await width.inputValue(), '77');
  });

  test('says so when the server does not answer, and goes on when it does', async () => {
    const page = await app.open('/workflows/open?example=topographic-map');
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await run.waitFor();
    await page.context().setOffline(true);
    await run.click();
    await page.getByRole('alert').getByText('The server does not answer.').waitFor();
    await page.getByRole('status').getByText('The server is away').waitFor();
    await page.context().setOffline(false);
    await run.click();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    await page.getByText('The server is away').waitFor({ state: 'detached' });
  });

  test('starts one job when an example is clicked twice', async () => {
    const page = await app.open('/workflows');
    await page.getByRole('button', { name: 'Run Color field' }).dblclick();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    const jobs = await adminClient(app.server).jobs.list({ workflowName: 'Color field' }).toArray();
    assert.equal(jobs.length, 1);
  });
});
