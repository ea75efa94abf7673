import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';

import { type Console, findBarriers, startConsole } from '../support/console.ts';

describe('the console', () => {
  let app: Console;
  before(async () => {
    app = await startConsole();
  });
  afterEach(async () => await app.closePages());
  after(async () => {
    await app[Symbol.asyncDispose]();
  });

  test('leads browsers from the front page to the sign-in, and behind it to where they wanted to go', async () => {
    const { server } = app;
    const page = await app.openSignedOut();
    await page.goto('/');
    await page.waitForURL('**/console/sign-in**');
    await page.goto('/console/jobs');
    await page.waitForURL('**/console/sign-in?return_to=**');
    await page.getByLabel('E-mail').fill(server.admin.email);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(server.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/console/jobs');
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  });

  test('signs the first administrator in by the link of the first start, once', async () => {
    const { server } = app;
    const [, path = ''] =
      /^Open http:\/\/[^/]+(\/auth\/link\?token=\S+) to sign in/m.exec(server.output()) ?? [];
    const page = await app.openSignedOut();
    await page.goto(path);
    await page.getByRole('link', { name: 'Gallery' }).first().waitFor();
    const other = await app.openSignedOut();
    await other.goto(path);
    await other.getByRole('alert').filter({ hasText: 'Start again' }).waitFor();
  });

  test('signs out', async () => {
    const page = await app.open('/');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/console/sign-in**');
    await page.goto('/console/jobs');
    await page.waitForURL('**/console/sign-in**');
  });

  test('goes to a page by the keyboard alone', async () => {
    const page = await app.open('/');
    await page.getByRole('link', { name: 'Gallery' }).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').pressSequentially('gall');
    await page.getByRole('option', { name: 'Gallery' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/gallery');
  });

  test('keeps the theme and the language of the browser', async () => {
    const page = await app.open('/');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await page.getByRole('link', { name: 'Galerie' }).first().waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Galerie' }).first().waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), 'dark');
  });

  test('has no barriers on its frame, in either theme', async () => {
    const page = await app.open('/');
    await page.getByRole('navigation').first().waitFor();
    assert.deepEqual(await findBarriers(page), []);
  });
});
