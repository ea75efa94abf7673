import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type RunningServer, startServer } from '@atelier/testing';
import type { Browser, Page } from 'playwright-core';

import { signInAt } from '../support/atelier-sign-in.ts';
import { OTHER_NAME, startBrowser } from '../support/browser.ts';
import { newPerson } from '../support/people.ts';

/** In a real browser without scripts, as the pages promise. */
describe('the pages that let programs in', () => {
  const cleanUp = new AsyncDisposableStack();
  let server: RunningServer;
  let browser: Browser;
  before(async () => {
    server = cleanUp.use(await startServer());
    browser = await startBrowser();
    cleanUp.defer(async () => await browser.close());
  });
  after(async () => await cleanUp.disposeAsync());

  const open = async (width: number, colorScheme: 'light' | 'dark'): Promise<Page> => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      colorScheme,
      viewport: { width, height: 800 },
    });
    return await context.newPage();
  };
  const assertFits = async (page: Page) => {
    const { width = 0 } = page.viewportSize() ?? {};
    for (const part of await page.locator('main, main *:visible').all()) {
      const box = await part.boundingBox();
      if (box)
        assert.ok(box.x >= 0 && box.x + box.width <= width, await part.evaluate((node) => node.outerHTML));
    }
  };
  const fillIn = async (page: Page) => {
    const { email, password } = await newPerson(server);
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', password);
    await page.click('button[value=allow]');
  };

  for (const [width, colorScheme] of [
    [320, 'light'],
    [1280, 'dark'],
  ] as const) {
    test(`[ACC-9] a person types the code and allows the device, ${width} pixels wide and ${colorScheme}`, async () => {
      const page = await open(width, colorScheme);
      const device = signInAt(server.url);
      const begun = await device.begin({
        device_name: `a-very-long-name-${'x'.repeat(40)}`,
        scope: 'workflows admin',
      });
      await page.goto(begun.verification_uri);
      await page.fill('[name=user_code]', 'wrong');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      await assertFits(page);
      await page.fill('[name=user_code]', begun.user_code.toLowerCase());
      await page.click('button');
      await page.getByText(begun.user_code).waitFor();
      await assertFits(page);
      await fillIn(page);
      await page.getByRole('heading', { name: 'Your device is signed in' }).waitFor();
      assert.equal((await device.poll(begun)).status, 200);
      await page.context().close();
    });
  }

  test('[ACC-9] the link with the code asks only for the decision, also at another name of the server', async () => {
    const page = await open(390, 'dark');
    const device = signInAt(server.url);
    const begun = await device.begin();
    const { port, pathname, search } = new URL(begun.verification_uri_complete);
    await page.goto(`http://${OTHER_NAME}:${port}${pathname}${search}`);
    await page.click('button[value=deny]');
    await page.getByRole('heading', { name: 'Denied' }).waitFor();
    assert.equal((await device.poll(begun)).body.error, 'access_denied');
    await page.context().close();
  });

  test('[ACC-6] the browser brings the code to the program that waits on this computer', async () => {
    const program = createServer((_request, response) => response.end('You can close this page.'));
    program.listen(0, '127.0.0.1');
    await once(program, 'listening');
    cleanUp.defer(() => void program.close());
    const { port } = program.address() as AddressInfo;
    const page = await open(390, 'light');
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'atelier-cli',
      redirect_uri: `http://127.0.0.1:${port}/callback`,
      state: 'a state',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    });
    await page.goto(`${server.url}/oauth/authorize?${query}`);
    await assertFits(page);
    await fillIn(page);
    await page.getByText('You can close this page.').waitFor();
    const { searchParams } = new URL(page.url());
    assert.equal(searchParams.get('state'), 'a state');
    assert.ok(searchParams.get('code'));
    await page.context().close();
  });
});
