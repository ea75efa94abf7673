import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { longTest } from '@atelier/testing';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

import { type Console, findBarriers, startConsole } from '../support/console.ts';
import { largeWorkflow, nestedWorkflow, richWorkflow } from '../support/graph-workflows.ts';
import { HOLDING } from '../support/held-jobs.ts';
import { adminClient } from '../support/sdk.ts';
import { face } from '../support/test-pictures.ts';

type Json = Readonly<Record<string, unknown>>;

describe('the graph of a workflow', () => {
  let app: Console;
  let picture: string;
  before(async () => {
    app = await startConsole(HOLDING);
    const file = new File([new Uint8Array(await face())], 'face.png', { type: 'image/png' });
    picture = (await adminClient(app.server).files.upload(file)).name;
  });
  afterEach(async () => await app.closePages());
  after(async () => {
    await app[Symbol.asyncDispose]();
  });

  let count = 0;
  async function openGraph(workflow: Json, options: Parameters<Console['open']>[1] = {}): Promise<Page> {
    count += 1;
    const { id } = await adminClient(app.server).workflows.save(workflow, { name: `graph ${count}.json` });
    const page = await app.open(`/workflows/open?saved=${encodeURIComponent(id)}&view=graph`, options);
    await page.locator('.react-flow__node').first().waitFor();
    return page;
  }
  const node = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
  const run = async (page: Page) => await page.getByRole('button', { name: 'Run', exact: true }).click();
  const field = (page: Page, of: string, name: string) =>
    node(page, of).getByRole('textbox', { name, exact: true });
  const number = (page: Page, of: string, name: string) =>
    node(page, of).getByRole('spinbutton', { name, exact: true });
  const choice = (page: Page, of: string, name: string) =>
    node(page, of).getByRole('button', { name: new RegExp(`^${name} `) });

  test('has groups, notes, reroutes and subgraphs, which are entered and left', async () => {
    const page = await openGraph(richWorkflow(picture));
    for (const title of ['Picture', 'Extras']) await page.getByText(title, { exact: true }).waitFor();
    await node(page, 'How to use it').getByRole('link', { name: 'Guide' }).waitFor();
    assert.equal(await field(page, 'Note', 'Note').inputValue(), 'A plain note.');
    assert.equal(await page.locator('.react-flow__edge').count(), 7);
    assert.equal(await number(page, 'Soften', 'radius').inputValue(), '4');

    await page.getByRole('button', { name: 'Open the subgraph Soften' }).click();
    await number(page, 'Inner blur', 'sigma').fill('0.75');
    await node(page, 'Inner blur').getByText('blur_radius').waitFor();
    await page.getByRole('navigation', { name: 'Subgraphs' }).getByRole('button').click();
    await node(page, 'Portrait').waitFor();
    await page.getByRole('button', { name: 'Open the subgraph Soften' }).click();
    assert.equal(await number(page, 'Inner blur', 'sigma').inputValue(), '0.75');
    await page.keyboard.press('Escape');
    await node(page, 'Portrait').waitFor();
  });

  test('opens subgraphs inside subgraphs by keyboard alone, and leads back to where one was', async () => {
    const page = await openGraph(nestedWorkflow());
    const steps = page.getByRole('navigation', { name: 'Subgraphs' }).getByRole('listitem');
    await node(page, 'Outer').focus();
    // The first press goes into the node, the second opens it.
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Open the subgraph Outer' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await node(page, 'Inner').waitFor();
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Find a node' }).fill('Inner');
    await page
      .getByRole('option', { name: /^Inner/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await node(page, 'Inner').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Open the subgraph Inner' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await number(page, 'Inner blur', 'sigma').fill('0.25');
    assert.deepEqual(await steps.allTextContents(), [`graph ${count}`, 'Outer', 'Inner']);
    await node(page, 'Inner blur').focus();
    await page.keyboard.press('Escape');
    await node(page, 'Inner').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await node(page, 'Outer').and(page.locator(':focus')).waitFor();
    await run(page);
    await node(page, 'Save Image')
      .getByRole('img', { name: /^nested_/ })
      .waitFor();
    const [job] = await adminClient(app.server)
      .jobs.list({ workflowName: `graph ${count}` })
      .toArray();
    const { workflow } = await adminClient(app.server).jobs.get(job?.id ?? '');
    assert.equal((workflow.prompt['2:5:4'] as { inputs: Json }).inputs['sigma'], 0.25);
    // The pointer does the same with a double click.
    await node(page, 'Outer').dblclick({ position: { x: 40, y: 12 } });
    await node(page, 'Inner').waitFor();
  });

  test('has every value editable in place, and each change can be undone', async () => {
    const page = await openGraph(richWorkflow(picture));
    await field(page, 'Caption', 'text').fill('Changed');
    await number(page, 'Caption', 'font_size').fill('20');
    await number(page, 'Caption', 'font_size').press('ArrowUp');
    assert.equal(await number(page, 'Caption', 'font_size').inputValue(), '20.5');
    await number(page, 'Grain', 'strength').fill('0.25');
    await node(page, 'Caption').getByRole('switch', { name: 'outline' }).click();
    await node(page, 'Caption').getByLabel('color').fill('#ff0000');
    await node(page, 'Backdrop').getByLabel('color').fill('#00ff00');
    await choice(page, 'Caption', 'position').click();
    await page.getByRole('option', { name: 'top' }).click();
    await node(page, 'Caption').getByRole('button', { name: 'position top' }).waitFor();
    await number(page, 'Grain', 'seed').fill('18446744073709551615');
    await choice(page, 'Grain', 'after each run').click();
    await page.getByRole('option', { name: 'add 1' }).click();
    await field(page, 'Note', 'Note').fill('Another note.');
    await field(page, 'Save Image', 'filename_prefix').fill('changed');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();

    const saved = await adminClient(app.server).workflows.get(`graph ${count}.json`);
    const nodes = saved.workflow_json['nodes'] as { id: number; widgets_values: unknown[] }[];
    const valuesOf = (id: number) => nodes.find((each) => each.id === id)?.widgets_values;
    assert.deepEqual(valuesOf(3), ['Changed', 20.5, '#ff0000', 'top', 'center', true]);
    assert.deepEqual(valuesOf(7), [64, 64, 1, 0x00_ff_00]);
    assert.deepEqual(valuesOf(5)?.slice(1), ['increment', 0.25]);
    assert.deepEqual(valuesOf(10), ['Another note.']);
    assert.deepEqual(valuesOf(6), ['changed']);

    await field(page, 'Save Image', 'filename_prefix').press('Control+z');
    assert.equal(await field(page, 'Save Image', 'filename_prefix').inputValue(), 'graph');
    await page.keyboard.press('Control+z');
    assert.equal(await field(page, 'Note', 'Note').inputValue(), 'A plain note.');
    await page.keyboard.press('Control+Shift+z');
    assert.equal(await field(page, 'Note', 'Note').inputValue(), 'Another note.');
  });

  test('bypasses and mutes nodes by key and by menu', async () => {
    const page = await openGraph(richWorkflow(picture));
    await node(page, 'Grain').focus();
    await page.keyboard.press('Control+b');
    await node(page, 'Grain').getByText('Bypassed').waitFor();
    await page.keyboard.press('Control+m');
    await node(page, 'Grain').getByText('Muted').waitFor();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await node(page, 'Grain').getByText('Bypassed').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions for Grain' }).click();
    await page.getByRole('menuitem', { name: 'Bypass' }).click();
    await node(page, 'Grain').getByText('Bypassed').waitFor();
  });

  test('uploads a picture on its node and draws a mask over it', async () => {
    const page = await openGraph(richWorkflow(picture));
    const buffer = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#204060' } })
      .png()
      .toBuffer();
    await node(page, 'Portrait')
      .locator('input[type=file]')
      .setInputFiles({ name: 'new.png', mimeType: 'image/png', buffer });
    await choice(page, 'Portrait', 'image').and(page.getByTitle(picture)).waitFor({ state: 'detached' });
    const uploaded = await choice(page, 'Portrait', 'image').getAttribute('title');

    await page.getByRole('button', { name: 'Draw a mask' }).click();
    const surface = page.getByRole('application', { name: 'Mask' });
    const bounds = await surface.boundingBox();
    assert.ok(bounds);
    const { x, y, width, height } = bounds;
    await page.mouse.move(x + width * 0.5, y + height * 0.5);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.7, y + height * 0.5, { steps: 4 });
    await page.mouse.up();
    // The eraser, undo and the keyboard work as well.
    await page.getByRole('button', { name: 'Eraser' }).click();
    await surface.focus();
    await page.keyboard.press(' ');
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole('button', { name: 'Use mask' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const masked = await choice(page, 'Portrait', 'image').getAttribute('title');
    assert.notEqual(masked, uploaded);
    const file = adminClient(app.server).files.open({
      filename: masked ?? '',
      type: 'input',
    });
    const pixels = await sharp(await file.download())
      .ensureAlpha()
      .raw()
      .toBuffer();
    const alphaAt = (left: number, top: number) => pixels[(top * 80 + left) * 4 + 3];
    assert.deepEqual([alphaAt(48, 30), alphaAt(5, 5)], [0, 255]);
  });

  test('shows the node in work with progress and preview, and what nodes have made', async () => {
    const page = await openGraph(richWorkflow(picture));
    await run(page);
    await node(page, 'Save Image')
      .getByRole('img', { name: /^graph_/ })
      .waitFor();
    await node(page, 'Preview as Text').getByText('one, two').waitFor();
    await node(page, 'Caption')
      .getByRole('img', { name: /Done|Cached/ })
      .waitFor();

    const until = join(app.server.dataFolder, 'let-go');
    const held = await openGraph({
      1: { class_type: 'TestSteps', inputs: { until }, _meta: { title: 'Work' } },
    });
    await run(held);
    await node(held, 'Work').getByRole('progressbar', { name: 'Progress of Work' }).waitFor();
    await node(held, 'Work').getByRole('img', { name: 'Preview of Work' }).waitFor();
    await writeFile(until, '');
    await node(held, 'Work').getByRole('img', { name: 'Done' }).waitFor();
  });

  test('marks what fails or is refused on its node and input, and node types that are missing', async () => {
    const page = await openGraph({
      1: {
        class_type: 'ComfyMathExpression',
        inputs: { expression: '1 / 0' },
        _meta: { title: 'Division' },
      },
      2: { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
    });
    await run(page);
    await node(page, 'Division').getByRole('img', { name: 'Failed' }).waitFor();
    await node(page, 'Division').getByText('division by zero').waitFor();

    const refused = await openGraph({
      1: { class_type: 'LoadImage', inputs: { image: 'gone.png' }, _meta: { title: 'Source' } },
      2: { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
    });
    await run(refused);
    await refused.getByRole('alert').first().waitFor();
    await node(refused, 'Source').getByRole('listitem').filter({ hasText: 'image' }).first().waitFor();

    const missing = await openGraph({
      1: { class_type: 'NobodyHasThis', inputs: { a: 1 } },
      2: { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
    });
    await node(missing, 'NobodyHasThis').getByText('This server has no node type NobodyHasThis.').waitFor();
  });

  longTest('stays fluid with 300 nodes: the next paint comes within 200 ms', async () => {
    const page = await openGraph(largeWorkflow(300));
    // It begins where values can be read; from afar there is more to draw.
    await page.getByRole('button', { name: 'Show all nodes' }).click();
    await node(page, 'Node 30').waitFor();
    await page.evaluate(() => {
      const slow: [string, number][] = [];
      Object.assign(globalThis, { slow });
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as PerformanceEventTiming[]) {
          if ('interactionId' in entry && entry.interactionId) slow.push([entry.name, entry.duration]);
        }
      });
      observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
    });
    /** Of several tries the best: other programs of the machine take their share of some. */
    async function fastest(act: () => Promise<unknown>): Promise<number> {
      let best = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < 8 && best >= 200; attempt += 1) {
        await page.evaluate(() => (globalThis as unknown as { slow: unknown[] }).slow.splice(0));
        await act();
        // Two frames later the entry is there; without one it took less than the least that is reported.
        const worst = await page.evaluate(
          async () =>
            await new Promise<number>((resolve) => {
              const read = () => {
                const { slow } = globalThis as unknown as { slow: [string, number][] };
                resolve(Math.max(16, ...slow.map(([, duration]) => duration)));
              };
              requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(read, 50)));
            }),
        );
        best = Math.min(best, worst);
      }
      return best;
    }
    const times: Record<string, number> = {};
    times['select from afar'] = await fastest(async () => await node(page, 'Node 30').click());
    times['zoom'] = await fastest(async () => await page.getByRole('button', { name: 'Zoom in' }).click());
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Find a node' }).fill('Node 150');
    await page.keyboard.press('Enter');
    const size = number(page, 'Node 150', 'font_size');
    await size.focus();
    times['type'] = await fastest(async () => await page.keyboard.press('ArrowUp'));
    times['bypass'] = await fastest(async () => await page.keyboard.press('Control+b'));
    times['undo'] = await fastest(async () => await page.keyboard.press('Control+z'));
    await node(page, 'Node 150').focus();
    times['pan'] = await fastest(async () => await page.keyboard.press('ArrowRight'));
    for (const [what, time] of Object.entries(times)) assert.ok(time < 200, `${what} took ${time} ms`);
  });

  longTest('has no barriers in either theme', async () => {
    const page = await openGraph(richWorkflow(picture));
    await node(page, 'How to use it').getByRole('link', { name: 'Guide' }).waitFor();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    assert.deepEqual(await findBarriers(page), []);
  });

  test('fits a phone', async () => {
    const page = await openGraph(richWorkflow(picture), { width: 390, height: 844 });
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(isWide, false);
  });

  test('shows hostile titles, notes and values as they are written', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    const file = structuredClone(richWorkflow(picture)) as {
      nodes: { title?: string; type: string; widgets_values: unknown[] }[];
      groups: { title: string }[];
    };
    for (const each of file.nodes) if (each.type !== 'LoadImage') each.title = hostile;
    for (const each of file.groups) each.title = hostile;
    const note = file.nodes.find(({ type }) => type === 'MarkdownNote');
    if (note) note.widgets_values = [`${hostile} [x](javascript:alert(1)) ![x](https://example.com/x.png)`];
    const page = await openGraph(file);
    let dialogs = 0;
    page.on('dialog', async (dialog) => {
      dialogs += 1;
      await dialog.dismiss();
    });
    await node(page, hostile).first().waitFor();
    await node(page, hostile)
      .getByText('[x]')
      .or(node(page, hostile).getByText('x', { exact: true }))
      .first()
      .waitFor();
    assert.equal(
      await page.locator('img[src="x"], img[src*="example.com"], a[href^="javascript"]').count(),
      0,
    );
    assert.equal(dialogs, 0);
  });
});
