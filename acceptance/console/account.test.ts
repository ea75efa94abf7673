import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { createAtelier } from '@atelier/sdk';

import { type Console, startConsole } from '../support/console.ts';
import { adminClient } from '../support/sdk.ts';
import { textWorkflow } from '../support/workflows.ts';

const ADA = { email: 'ada@example.com', password: 'correct horse battery' };
const CLIENT = 'atelier-cli';

describe('the account', () => {
  let app: Console;
  before(async () => {
    app = await startConsole();
    await adminClient(app.server).admin.users.create(ADA);
  });
  afterEach(async () => await app.closePages());
  after(async () => {
    await app[Symbol.asyncDispose]();
  });

  test('1: lets a device in by the code that the command line shows', async () => {
    const { oauth } = createAtelier({ url: app.server.url });
    const asked = await oauth.authorizeDevice({ clientId: CLIENT, deviceName: 'laptop' });
    const page = await app.open('/account');
    await page.getByLabel('Code').fill(asked.user_code.toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('laptop').first().waitFor();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForLoadState();
    const issued = await oauth.exchangeDeviceCode({ clientId: CLIENT, deviceCode: asked.device_code });
    const device = createAtelier({ url: app.server.url, apiKey: issued.apiKey });
    assert.equal((await device.account.get()).email, app.server.admin.email);
    await page.goto('/console/account?tab=keys');
    await page.getByRole('row').filter({ hasText: 'laptop' }).waitFor();
  });

  test('1: shows and rotates the webhook secret, and sends a delivery again', async () => {
    const client = adminClient(app.server);
    await client.jobs.run(textWorkflow(), { webhookUrl: 'https://receiver.invalid/hook' });
    const page = await app.open('/account?tab=webhooks');
    await page.getByRole('button', { name: 'Show' }).click();
    const former = await client.webhooks.secret();
    await page.getByText(former).waitFor();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByText(former).waitFor({ state: 'detached' });
    await page.getByText(await client.webhooks.secret()).waitFor();
    await page
      .getByRole('button', { name: /receiver\.invalid/ })
      .first()
      .click();
    await page.getByRole('region', { name: 'Body' }).getByText('job.completed').first().waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('It is being sent again.').first().waitFor();
  });

  test('1: changes a password: a wrong one is refused, a new one ends all sessions', async () => {
    const page = await app.open('/account', { as: ADA });
    await page.getByLabel('Current password').fill('wrong');
    await page.getByLabel('New password').fill('staple battery horse');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page
      .getByRole('alert')
      .getByText(/password/)
      .waitFor();
    assert.match(page.url(), /\/account/, 'the session has not ended');
    await page.getByLabel('Current password').fill(ADA.password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.waitForURL('**/sign-in?**');
    await page.getByLabel('E-mail').fill(ADA.email);
    await page.getByLabel('Password').fill('staple battery horse');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/account');
  });
});
