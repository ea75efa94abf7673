import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { PATIENCE_MS, startServer } from '@atelier/testing';

import { startBrowser } from '../support/browser.ts';
import { newClient } from '../support/sdk.ts';
import { installPackage } from '../support/sdk-package.ts';
import { serveFolder } from '../support/serve-folder.ts';
import { face } from '../support/test-pictures.ts';

const RECIPES = join(import.meta.dirname, '../../docs/guide/recipes.md');

test('the recipe “picture in, picture out” works in a browser, word by word', async () => {
  const recipe = /^```html\n(.*?)^```$/ms.exec(await readFile(RECIPES, 'utf8'))?.[1] ?? '';
  await using server = await startServer();
  await using project = await installPackage();
  const html = recipe.replace('http://127.0.0.1:8080', server.url);
  assert.notEqual(html, recipe, 'the recipe names the server');
  using pages = await serveFolder(project.path, { '/': ['text/html', html] });
  const atelier = await newClient(server);
  const { plaintext_key: key } = await atelier.keys.create({ name: 'page', scopes: ['workflows'] });
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    const failures: string[] = [];
    page.on('pageerror', (error) => failures.push(String(error)));
    await page.goto(pages.url);
    await page.fill('#key', key);
    const buffer = await face({ width: 80, height: 60 });
    await page.setInputFiles('#picture', { name: 'me.png', mimeType: 'image/png', buffer });
    const shown = `document.querySelector('#result').naturalWidth`;
    await page.waitForFunction(shown, undefined, { timeout: PATIENCE_MS }).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${failures.join('\n')}`);
    });
    assert.equal(await page.evaluate(shown), 80);
    assert.equal(await page.evaluate(`document.querySelector('#progress').value`), 1);
    assert.deepEqual(failures, []);
  } finally {
    await browser.close();
  }
});
