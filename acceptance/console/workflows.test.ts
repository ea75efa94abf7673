import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import { createAtelier } from '@atelier/sdk';
import { longTest } from '@atelier/testing';
import type { Page } from 'playwright-core';

import { type Console, findBarriers, startConsole } from '../support/console.ts';
import { until } from '../support/until.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

/** A picture of one color with a line of text: small, and both formats have it. */
const poster = (text: string) => ({
  1: { class_type: 'EmptyImage', inputs: { width: 128, height: 96, batch_size: 1, color: 3_811_936 } },
  2: {
    class_type: 'TextOverlay',
    inputs: {
      images: ['1', 0],
      text,
      font_size: 12,
      color: '#ffffff',
      position: 'top',
      align: 'center',
      outline: false,
    },
    _meta: { title: 'Title' },
  },
  3: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'poster' } },
});

const jsonFile = (name: string, content: unknown) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(content)),
});

describe('home and workflows', () => {
  let app: Console;
  before(async () => {
    app = await startConsole();
  });
  afterEach(async () => await app.closePages());
  after(async () => {
    await app[Symbol.asyncDispose]();
  });

  const api = () => createAtelier({ url: app.server.url, apiKey: app.server.admin.api_key });
  const download = (page: Page) => page.getByRole('link', { name: 'Download' });
  const result = (page: Page) => page.getByRole('region', { name: 'Result' });

  async function drop(page: Page, file: Parameters<typeof page.setInputFiles>[1]) {
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.waitForURL('**/workflows/open?draft=**');
    await result(page).waitFor();
  }

  test('2: an empty account shows examples, and one click makes a picture', async () => {
    const page = await app.open('/');
    await page.getByRole('heading', { name: 'Run your first workflow' }).waitFor();
    await page.getByRole('button', { name: 'Run Kaleidoscope' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Run / }).count(), 3);
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole('button', { name: 'Run Kaleidoscope' }).click();
    await page.waitForURL('**/workflows/open?example=kaleidoscope');
    await download(page).waitFor();
    await result(page)
      .getByRole('img', { name: /kaleidoscope/ })
      .waitFor();
    await page.goto('/console/');
    await page.getByRole('heading', { name: 'Recent outputs' }).waitFor();
    await page.getByRole('link', { name: /^Open kaleidoscope/ }).waitFor();
  });

  test('2: a dropped file opens and runs, once; values can be changed and run again', async () => {
    const page = await app.open('/');
    await drop(page, jsonFile('My poster.json', poster('one')));
    await page.getByRole('heading', { name: 'My poster' }).waitFor();
    await download(page).waitFor();
    const text = page.getByLabel('Text', { exact: true });
    await text.fill('two');
    await page.getByRole('button', { name: 'Run' }).click();
    // Both results stay.
    await page.getByRole('heading', { name: 'Earlier results' }).waitFor();
    await text.fill('three');
    await page.keyboard.press('Control+Enter');
    const jobs = api().jobs.list({ workflowName: 'My poster' });
    await until('three jobs', async () => (await jobs.toArray()).length === 3);
    await page.reload();
    await download(page).waitFor();
    assert.equal(await text.inputValue(), 'three');
    // Undo gives the former value back.
    await text.fill('four');
    await page.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await text.inputValue(), 'three');
    await page.goBack();
    await page.goForward();
    await download(page).waitFor();
    assert.equal((await jobs.toArray()).length, 3);
  });

  test('2: a dropped picture runs the workflow that it carries; what lacks something waits and names it', async () => {
    const { outputs } = await api().jobs.run(poster('in a picture'));
    const [picture] = outputs;
    assert.ok(picture);
    const page = await app.open('/');
    await drop(page, {
      name: 'carried.png',
      mimeType: 'image/png',
      buffer: Buffer.from(await picture.download()),
    });
    await download(page).waitFor();
    const { 1: source, ...rest } = poster('x');
    const lacking: readonly [name: string, workflow: unknown, said: string | RegExp][] = [
      [
        'no type',
        { ...rest, 1: source, 9: { class_type: 'NobodyHasThis', inputs: {} } },
        'Node types that this server does not have',
      ],
      ['no file', { ...rest, 1: { class_type: 'LoadImage', inputs: { image: 'not-here.png' } } }, /not-here/],
    ];
    for (const [name, workflow, said] of lacking) {
      await page.goto('/console/');
      await drop(page, jsonFile(`${name}.json`, workflow));
      await page.getByText(said).first().waitFor();
      assert.deepEqual(await api().jobs.list({ workflowName: name }).toArray(), []);
    }
    assert.equal((await api().jobs.list({ workflowName: 'carried' }).toArray()).length, 1);
  });

  test('3: a picture that carries a workflow opens with it', async () => {
    const { outputs } = await api().jobs.run(poster('inside'));
    const [picture] = outputs;
    assert.ok(picture);
    const page = await app.open('/workflows');
    await drop(page, {
      name: 'picture.png',
      mimeType: 'image/png',
      buffer: Buffer.from(await picture.download()),
    });
    assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'inside');
    await page.goto(`/console/workflows/open?asset=${picture.id}`);
    assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'inside');
    await page.goto('/console/workflows');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'plain.json', mimeType: 'application/json', buffer: Buffer.from('{"a":1}') });
    await page.getByText('This is not a workflow').first().waitFor();
  });

  test('3: the tabs show exactly this run, in step with the form', async () => {
    const page = await app.open('/workflows');
    await drop(page, jsonFile('code.json', poster('code')));
    await page.getByLabel('Text', { exact: true }).fill('in step');
    for (const [tab, expected] of [
      ['JSON', /"text": "in step"/],
      ['curl', /curl 'http.*\/api\/prompt'/],
      ['TypeScript', /createAtelier/],
      ['Python', /requests\.post/],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      const code = page.getByRole('region', { name: tab });
      await code.getByText(/in step/).waitFor();
      assert.match((await code.textContent()) ?? '', expected);
    }
  });

  test('3: what is missing is named before the run, and a refusal marks its input', async () => {
    const page = await app.open('/workflows');
    const { 1: empty, ...rest } = poster('x');
    await drop(
      page,
      jsonFile('broken.json', { ...rest, 1: empty, 9: { class_type: 'NobodyHasThis', inputs: {} } }),
    );
    await page.getByRole('link', { name: 'Find NobodyHasThis in the registry' }).waitFor();
    const wide = { ...empty, inputs: { ...empty.inputs, width: 99_999_999 } };
    await page.goto('/console/workflows');
    await drop(page, jsonFile('wide.json', { ...rest, 1: wide }));
    await page.getByRole('button', { name: 'Run' }).click();
    await page
      .getByText(/bigger than max/)
      .first()
      .waitFor();
    assert.equal(await page.getByLabel('Width').getAttribute('aria-invalid'), 'true');
  });

  test('3: a workflow is saved, renamed, shared, restored from a version, and deleted', async () => {
    const page = await app.open('/workflows');
    await drop(page, jsonFile('first draft.json', poster('v1')));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Poster of the week');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/workflows/open?saved=**');
    const text = page.getByLabel('Text', { exact: true });
    await text.fill('v2');
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Save', disabled: true }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Versions…' }).click();
    await page.getByRole('button', { name: 'Open this version' }).first().click();
    await page.getByText('Not saved').waitFor();
    assert.equal(await text.inputValue(), 'v1');

    await page.goto('/console/workflows');
    await page.getByRole('button', { name: 'Actions for Poster of the week' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Weekly poster');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('link', { name: 'Weekly poster' }).waitFor();
    await page.getByRole('button', { name: 'Actions for Weekly poster' }).click();
    await page.getByRole('menuitem', { name: 'Share by link' }).click();
    await page.getByText('The link is copied').first().waitFor();
    const link = await page.evaluate(async () => await navigator.clipboard.readText());
    await page.goto(link);
    await page.getByText('Shared by').waitFor();
    assert.equal(await text.inputValue(), 'v2');

    await page.goto('/console/workflows?q=weekly');
    await page.getByRole('button', { name: 'Actions for Weekly poster' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No workflow has “weekly” in its name.').first().waitFor();
  });

  test('3: a workflow is exported in both formats', async () => {
    const page = await app.open('/workflows');
    await drop(page, jsonFile('both.json', poster('both')));
    for (const [item, name] of [
      ['Export for the editor', 'both.json'],
      ['Export in the API format', 'both.api.json'],
    ] as const) {
      await page.getByRole('button', { name: 'More actions' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item }).click(),
      ]);
      assert.equal(file.suggestedFilename(), name);
      const content = await readFile(await file.path(), 'utf8');
      // The server takes both, and makes the same of them.
      const { detail } = await api().jobs.run(content);
      assert.deepEqual((detail.workflow.prompt as ReturnType<typeof poster>)[2].inputs.text, 'both');
    }
  });

  test('3: a picture is dropped on an input, and a result is used as one', async () => {
    const page = await app.open('/workflows');
    const workflow = {
      1: { class_type: 'LoadImage', inputs: { image: '' } },
      2: { class_type: 'ImageInvert', inputs: { image: ['1', 0] } },
      3: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'inverted' } },
    };
    const { outputs } = await api().jobs.run(poster('input'));
    assert.ok(outputs[0]);
    await drop(page, jsonFile('invert.json', workflow));
    await page.getByRole('button', { name: /^Image: Drop/ }).waitFor();
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'photo.png',
        mimeType: 'image/png',
        buffer: Buffer.from(await outputs[0].download()),
      });
    await page.getByRole('button', { name: /^Image: Replace/ }).waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await download(page).waitFor();
    await page.getByRole('button', { name: 'Use as input' }).click();
    await page.getByRole('menuitem', { name: 'For Image' }).click();
    await page.getByText('It is set as input.').first().waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('heading', { name: 'Earlier results' }).waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('slider', { name: /Move the line/ }).waitFor();
  });

  test('names and texts full of markup stay text', async () => {
    const page = await app.open('/workflows');
    await drop(page, jsonFile(`${HOSTILE.replaceAll('/', '')}.json`, poster(HOSTILE)));
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await download(page).waitFor();
    assert.equal(await page.locator('img[src=x]').count(), 0);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/workflows/open?saved=**');
    await page.goto('/console/workflows');
    await page.getByRole('link', { name: HOSTILE }).waitFor();
    assert.equal(await page.locator('img[src=x]').count(), 0);
  });

  longTest('there are no barriers, in either theme', async () => {
    const page = await app.open('/');
    await page.getByRole('heading', { name: 'Recent outputs' }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.goto('/console/workflows');
    await page.getByRole('button', { name: 'Run Kaleidoscope' }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.goto('/console/workflows/open?example=neon-sign');
    await page.getByRole('button', { name: /^Advanced/ }).click();
    assert.deepEqual(await findBarriers(page), []);
  });
});
