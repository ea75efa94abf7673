import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { longTest } from '@atelier/testing';

import { type Console, findBarriers, settled, startConsole } from '../support/console.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

describe('the console', () => {
  let app: Console;
  before(async () => {
    app = await startConsole();
  });
  afterEach(async () => await app.closePages());
  after(async () => {
    await app[Symbol.asyncDispose]();
  });

  test('makes an API key that is shown once, and revokes it', async () => {
    const page = await app.open('/account?tab=keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill(HOSTILE);
    await page.getByRole('switch', { name: 'Limit what it can do' }).click();
    await page.getByRole('checkbox', { name: 'Registry' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const secret = page.getByRole('dialog', { name: 'Your new key' });
    const key = (await secret.getByRole('code').textContent()) ?? '';
    assert.match(key, /^atelier_/);
    await secret.getByRole('button', { name: 'Copy' }).click();
    assert.equal(await page.evaluate(async () => await navigator.clipboard.readText()), key);
    const answer = await fetch(`${app.server.url}/customers/credits`, { headers: { 'x-api-key': key } });
    assert.equal(answer.status, 403);
    await secret.getByRole('button', { name: 'Close' }).last().click();
    const row = page.getByRole('row').filter({ hasText: HOSTILE });
    assert.match((await row.textContent()) ?? '', /Workflows, Registry/);
    await row.getByRole('button', { name: /Revoke key/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('creates a user, changes plan and credits, bans and deletes', async () => {
    const page = await app.open('/admin?tab=users');
    await page.getByRole('button', { name: 'Create user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill('ada@example.com');
    await dialog.getByLabel('Name').fill(HOSTILE);
    await dialog.getByLabel('Password').fill('correct horse');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    const row = page.getByRole('row').filter({ hasText: 'ada@example.com' });
    await row.waitFor();

    const choose = async (item: string) => {
      await row.getByRole('button', { name: 'Actions for ada@example.com' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Change plan');
    await dialog.getByRole('combobox').click();
    await page.getByRole('option', { name: 'pro' }).click();
    await dialog.getByRole('button', { name: 'Change plan' }).click();
    await row.getByRole('cell', { name: /^pro/ }).waitFor();
    await choose('Change credits');
    await dialog.getByRole('textbox').first().fill('250');
    await dialog.getByLabel('Reason').fill('welcome');
    await dialog.getByRole('button', { name: 'Change credits' }).click();
    await row.getByText('250').waitFor();
    await choose('Ban');
    await dialog.getByLabel('Reason').fill('spam');
    await dialog.getByRole('button', { name: 'Ban' }).click();
    await row.getByText('Banned').waitFor();
    await choose('Delete user');
    await dialog.getByRole('button', { name: 'Delete user' }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('shows credits with their history to those who have them', async () => {
    const page = await app.open('/admin?tab=users');
    await page.getByRole('button', { name: `Actions for ${app.server.admin.email}` }).click();
    await page.getByRole('menuitem', { name: 'Change credits' }).click();
    await page.getByRole('dialog').getByRole('textbox').first().fill('1234');
    await page.getByRole('dialog').getByRole('button', { name: 'Change credits' }).click();
    await page.getByText('The credits were changed.').waitFor();
    await page.goto('/console/account?tab=credits');
    await page.getByRole('cell', { name: '+1,234' }).waitFor();
  });

  test('lists workers, drains one and gives it jobs again, and makes the line that connects another', async () => {
    const page = await app.open('/workers');
    const worker = page.getByRole('listitem').filter({ has: page.getByRole('heading') });
    await worker.getByText('Ready').waitFor();
    const choose = async (item: RegExp) => {
      await worker.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose(/^Drain/);
    await worker.getByText('Draining').waitFor();
    await choose(/^Give it jobs/);
    await worker.getByText('Ready').waitFor();
    await page.getByRole('button', { name: 'Connect a worker' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('gpu-0');
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await page
      .getByText(/ATELIER_WORKER_TOKEN=\S+ npm run worker/)
      .first()
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('row').filter({ hasText: 'gpu-0' }).waitFor();
  });

  test('hides the pages of administrators from others', async () => {
    const { url, admin } = app.server;
    const as = { email: 'bob@example.com', password: 'battery staple' };
    await fetch(`${url}/admin/users`, {
      method: 'POST',
      headers: { 'x-api-key': admin.api_key, 'content-type': 'application/json' },
      body: JSON.stringify(as),
    });
    const page = await app.open('/', { as });
    await page.getByRole('link', { name: 'Gallery' }).first().waitFor();
    assert.equal(await page.getByRole('link', { name: 'Administration' }).count(), 0);
    await page.goto('/console/admin?tab=users');
    await page.getByRole('alert').waitFor();
  });

  for (const path of [
    '/account',
    '/account?tab=keys',
    '/account?tab=credits',
    '/account?tab=storage',
    '/account?tab=webhooks',
    '/admin',
    '/admin?tab=users',
    '/admin?tab=jobs',
    '/admin?tab=storage',
    '/admin?tab=webhooks',
    '/admin?tab=audit',
    '/admin?tab=settings',
    '/workers',
  ]) {
    longTest(`${path} has no barriers in either theme, on a phone and on a desk`, async () => {
      const page = await app.open(path);
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await settled(page);
        assert.deepEqual(await findBarriers(page), []);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.equal(overflow, 0);
      }
      await page.context().close();
    });
  }
});
