import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';

import { type Console, startConsole } from '../support/console.ts';
import { richWorkflow } from '../support/graph-workflows.ts';
import { adminClient } from '../support/sdk.ts';
import { pictureWorkflow } from '../support/workflows.ts';

/** The version that `npm run editor:get` fetches. */
const VERSION = '1.58.1';

describe('the full editor', () => {
  let app: Console;
  before(async () => {
    app = await startConsole();
  });
  afterEach(async () => await app.closePages());
  after(async () => {
    await app[Symbol.asyncDispose]();
  });

  test('9: opens with the workflow in a new tab, and what it saves is shown on the way back', async () => {
    const { workflows } = adminClient(app.server);
    const { id } = await workflows.save(richWorkflow('none.png'), { name: 'there and back' });
    const address = `/workflows/open?saved=${encodeURIComponent(id)}&view=graph`;
    const page = await app.open(address);
    const link = page.getByRole('button', { name: 'Open in the full editor' });
    const note = page.getByRole('group', { name: 'Note', exact: true }).getByRole('textbox');
    await note.waitFor();
    assert.equal(await link.count(), 0, 'the server has no editor yet');

    await addEditor(app);
    await page.reload();
    await note.fill('Changed in the console.');
    const opened = page.waitForEvent('popup');
    await link.click();
    const editor = await opened;
    await editor.waitForURL('**/editor/');
    const kept = (await editor.evaluate('({ ...sessionStorage })')) as Record<string, string>;
    const pointer = JSON.parse(kept[`Comfy.Workflow.OpenPaths:${kept['clientId']}`] ?? '{}');
    assert.deepEqual(pointer, { workspaceId: 'personal', paths: [`workflows/${id}`], activeIndex: 0 });
    const { workflow_json: sent } = await workflows.get(id);
    assert.match(JSON.stringify(sent), /Changed in the console\./, 'saved before the editor opens');

    const text = JSON.stringify(sent).replace('Changed in the console.', 'Changed in the editor.');
    await workflows.update(id, { workflow: JSON.parse(text) });
    await editor.close();
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await page.getByText('Shows what was saved elsewhere.').waitFor();
    assert.equal(await note.inputValue(), 'Changed in the editor.');

    // Changes of its own stay until the person says otherwise.
    await note.fill('Mine.');
    await workflows.update(id, { workflow: sent });
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await page.getByRole('button', { name: 'Show what was saved' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await note.inputValue(), 'Mine.');
    // Asked once for each content: another one asks again.
    await workflows.update(id, { workflow: JSON.parse(text.replace('in the editor', 'once more')) });
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await page.getByRole('button', { name: 'Show what was saved' }).click();
    await page.getByText('Show what was saved').waitFor({ state: 'detached' });
    assert.equal(await note.inputValue(), 'Changed once more.');
  });

  test('9: a workflow in the API format is converted on its way to the editor', async () => {
    const { workflows } = adminClient(app.server);
    await addEditor(app);
    const { id } = await workflows.save(pictureWorkflow({ color: 1234 }), { name: 'from a program' });
    const page = await app.open(`/workflows/open?saved=${encodeURIComponent(id)}&view=graph`);
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Open in the full editor' }).click();
    await (await opened).waitForURL('**/editor/');
    const { workflow_json: sent } = await workflows.get(id);
    const { nodes = [] } = sent as { nodes?: { type: string; widgets_values: unknown[] }[] };
    assert.deepEqual(
      nodes.map(({ type, widgets_values: values }) => [type, values]),
      [
        ['EmptyImage', [32, 24, 1, 1234]],
        ['SaveImage', ['picture']],
      ],
    );
    // The console shows it as it is now, and its former content is a version.
    await page.getByRole('group', { name: 'Empty Image' }).waitFor();
    assert.equal(await page.getByText('Not saved').count(), 0);
    assert.equal((await workflows.versions(id)).length, 1);
  });
});

/** A stand-in: that the real one opens the workflow is checked by hand, for it is not part of the project. */
async function addEditor({ server }: Console): Promise<void> {
  const folder = join(server.dataFolder, 'editor', VERSION);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'index.html'), '<title>fake editor</title>');
}
