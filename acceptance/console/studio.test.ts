import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Atelier, createAtelier } from '@atelier/sdk';
import { longTest } from '@atelier/testing';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

import { type Console, findBarriers, startConsole } from '../support/console.ts';
import { admin, newPerson, type Person, tokenOf } from '../support/people.ts';
import { face } from '../support/test-pictures.ts';

const HOSTILE = '<img src=x onerror=alert(1)>.png';
const PATIENT = { timeout: 90_000 };

describe('the studio', () => {
  let app: Console;
  let artist: Person;
  let atelier: Atelier;
  let portrait: string;
  before(async () => {
    app = await startConsole({ ATELIER_SKIN_CREDITS: '3', ATELIER_RELIGHT_CREDITS: '4' });
    artist = await newPerson(app.server);
    await admin(app.server).post(`/admin/users/${artist.id}/credits`, { amount: 1000 });
    atelier = createAtelier({ url: app.server.url, apiKey: await tokenOf(app.server, artist) });
    const bytes = new Uint8Array(await face({ width: 320, height: 240 }));
    portrait = (await atelier.assets.upload(new File([bytes], HOSTILE))).id;
  });
  afterEach(async () => await app.closePages());
  after(async () => {
    await app[Symbol.asyncDispose]();
  });

  const open = async (path: string, options: object = {}) => await app.open(path, { as: artist, ...options });
  const left = async (page: Page) => {
    const note = page.getByText(/credits left/);
    await note.waitFor();
    return Number(/^[\d,]+/.exec((await note.textContent()) ?? '')?.[0].replace(',', ''));
  };

  test('enhances a picture from the disk: cost before, progress, before and after under one slider, credits after', async () => {
    const page = await open('/studio');
    const run = page.getByRole('button', { name: 'Enhance · 3 credits' });
    assert.ok(await run.isDisabled());
    await page.getByText('Choose a picture first.').waitFor();
    const buffer = await face({ width: 300, height: 200 });
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'from the disk.png', mimeType: 'image/png', buffer });
    await page.getByRole('img', { name: 'Picture' }).waitFor();
    const start = await left(page);
    const detail = page.getByRole('slider', { name: 'Skin detail' });
    assert.deepEqual([await detail.getAttribute('min'), await detail.getAttribute('max')], ['0', '100']);
    await detail.press('End');
    await run.click();
    const line = page.getByRole('slider', { name: 'Move between before and after' });
    await line.waitFor(PATIENT);
    await line.press('ArrowLeft');
    assert.equal(await line.getAttribute('aria-valuenow'), '48');
    await page.getByText('Cost 3 credits').waitFor();
    await page.getByText(`${start - 3} credits left, ${start - 6} afterwards`).waitFor();
    // All of it is there again.
    await page.reload();
    await line.waitFor();
    assert.equal(await page.getByRole('slider', { name: 'Skin detail' }).inputValue(), '100');
    await page.getByRole('link', { name: /^Skin, faithful, Done/ }).waitFor();
  });

  test('has the options of each mode and tool', async () => {
    const page = await open(`/studio?tool=skin&asset=${portrait}`);
    await page.getByRole('combobox', { name: 'Mode' }).click();
    await page.getByRole('option', { name: 'Flexible' }).click();
    await page.getByRole('slider', { name: 'Skin detail' }).waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Work toward' }).click();
    await page.getByRole('option', { name: 'No make-up' }).click();
    await page.getByText('More options').click();
    await page.getByRole('textbox', { name: 'Webhook' }).fill('not an address');
    await page.getByText('This must be an http or https address.').first().waitFor();
    assert.ok(await page.getByRole('button', { name: /^Enhance/ }).isDisabled());
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('slider', { name: 'Skin detail' }).waitFor();

    await page.getByRole('link', { name: 'Video' }).click();
    await page.getByRole('combobox', { name: 'Model' }).click();
    await page.getByRole('option', { name: 'clip2.0' }).click();
    await page.getByRole('combobox', { name: 'Length' }).click();
    assert.deepEqual(await page.getByRole('option').allTextContents(), ['4 seconds', '8 seconds']);
    await page.getByRole('option', { name: '8 seconds' }).click();
    await page.getByRole('button', { name: 'Make video · 100 credits' }).waitFor();
    await page.getByRole('button', { name: 'Remove: Start frame' }).click();
    await page.getByText('This model needs a start frame.').waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
  });

  test('relights a picture of the gallery, and goes on with the result', async () => {
    const page = await open('/studio?tool=relight');
    await page.getByRole('button', { name: 'From the gallery' }).first().click();
    await page.getByRole('button', { name: `Use ${HOSTILE}` }).click();
    await page.waitForURL(`**asset=${portrait}`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('(moonlight:1.3) from the left');
    await page.getByText('More options').click();
    await page.getByRole('slider', { name: 'Contrast' }).press('ArrowRight');
    await page.getByRole('button', { name: 'Relight · 4 credits' }).click();
    await page.getByRole('slider', { name: 'Move between before and after' }).waitFor(PATIENT);
    await page.getByRole('button', { name: 'Save to gallery' }).click();
    await page.getByText('Saved to the gallery.').first().waitFor();
    await page.getByRole('button', { name: 'Use as input' }).click();
    await page.getByRole('menuitem', { name: 'Make a video' }).click();
    await page.waitForURL(/tool=video&asset=/);
    assert.ok(!page.url().includes(portrait));
    await page.getByRole('img', { name: 'Start frame' }).waitFor();
  });

  test('makes a video of words, and plays it', async () => {
    const page = await open('/studio?tool=video');
    await page.getByText('Write a prompt, or choose a start frame.').waitFor();
    await page.getByRole('textbox', { name: 'Prompt' }).fill('waves at sunset');
    await page.getByRole('slider', { name: 'Length' }).press('Home');
    await page.getByText('1 second', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Resolution' }).click();
    await page.getByRole('option', { name: '540p' }).click();
    await page.getByRole('button', { name: 'Make video · 9 credits' }).click();
    const player = page.locator('video');
    await player.waitFor(PATIENT);
    await player.evaluate(async (video: HTMLVideoElement) => {
      video.muted = true;
      await video.play();
    });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    assert.match(download.suggestedFilename(), /\.mp4$/);
    await page.getByText('Cost 9 credits').waitFor();
  });

  test('tells why a task failed, and gives its credits back', async () => {
    const pixels = Buffer.from(Array.from({ length: 600 * 600 * 3 }, () => Math.floor(Math.random() * 256)));
    const whole = await sharp(pixels, { raw: { width: 600, height: 600, channels: 3 } })
      .jpeg()
      .toBuffer();
    const broken = await atelier.assets.upload(
      new File([new Uint8Array(whole.subarray(0, whole.length / 2))], 'broken.jpg'),
    );
    const page = await open(`/studio?tool=skin&asset=${broken.id}`);
    const start = await left(page);
    await page.getByRole('button', { name: 'Enhance · 3 credits' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /\w+ .+\./ })
      .first()
      .waitFor(PATIENT);
    await page.getByRole('link', { name: /^Skin, faithful, Failed/ }).waitFor();
    await page.getByText(`${start} credits left`).waitFor();
  });

  test('says what a refused request lacks, in the words of the server', async () => {
    const flat = await sharp({ create: { width: 900, height: 100, channels: 3, background: '#446688' } })
      .png()
      .toBuffer();
    const { id } = await atelier.assets.upload(new File([new Uint8Array(flat)], 'flat.png'));
    const page = await open(`/studio?tool=video&asset=${id}`);
    await page.getByRole('button', { name: /^Make video/ }).click();
    await page
      .getByText(/must have sides of 1:4 to 4:1/)
      .first()
      .waitFor();
  });

  test('runs nothing before it knows what there is and what it costs', async () => {
    const page = await open('/studio');
    const prices = Promise.withResolvers<void>();
    await page.route('**/proxy/prices', async (route) => {
      await prices.promise;
      await route.continue();
    });
    await page.goto(`/console/studio?tool=video&asset=${portrait}`);
    const run = page.getByRole('button', { name: /^Make video/ });
    assert.ok(await run.isDisabled());
    prices.resolve();
    await page.getByRole('button', { name: /^Make video · .*credits$/ }).waitFor();
    assert.ok(await run.isEnabled());
  });

  longTest('has no barriers in either theme', async () => {
    for (const tool of ['skin', 'relight', 'video']) {
      const page = await open(`/studio?tool=${tool}&asset=${portrait}`);
      await page.getByRole('button', { name: /credits$/ }).waitFor();
      await page.getByText('More options').click();
      await page.getByRole('heading', { name: 'Results' }).waitFor();
      assert.deepEqual(await findBarriers(page), []);
      await page.close();
    }
  });

  test('fits a phone', async () => {
    const page = await open(`/studio?asset=${portrait}`, { width: 360, height: 740 });
    await page.getByRole('button', { name: /^Enhance/ }).waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });
});
