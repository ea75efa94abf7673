import assert from 'node:assert/strict';
import { test } from 'node:test';

import { client } from '../support/http-client.ts';
import { newClient, patience, rejection } from '../support/sdk.ts';
import { onAnyEngine } from '../support/servers.ts';
import { pictureWorkflow, textWorkflow } from '../support/workflows.ts';

const statusOf = async (work: Promise<unknown>) => ((await rejection(work)) as { status?: number }).status;

onAnyEngine('saved workflows', (server) => {
  test('[HOST-33] a workflow is renamed with its description, and shows the last output of its jobs', async () => {
    const { workflows, jobs } = await newClient(server.current);
    const workflow = pictureWorkflow();
    const saved = await workflows.save(workflow, { name: 'people/Portrait', description: 'A face' });
    await workflows.save(workflow, { name: 'taken' });
    assert.equal(await statusOf(workflows.update(saved.id, { name: 'taken' })), 409);
    assert.equal(await statusOf(workflows.update('nobody.json', { name: 'x' })), 404);
    const renamed = await workflows.update(saved.id, { name: 'Face' });
    assert.deepEqual([renamed.id, renamed.name, renamed.description], ['Face.json', 'Face', 'A face']);
    assert.equal(await statusOf(workflows.get(saved.id)), 404);

    await jobs.run(workflow, { workflowName: 'Face', signal: patience() });
    const last = await jobs.run(pictureWorkflow(), { workflowName: 'Face', signal: patience() });
    await jobs.run(textWorkflow(), { signal: patience() });
    const [shown] = await workflows.list({ name: 'face' });
    assert.equal(shown?.preview_output?.['filename'], last.outputs[0]?.name);
    const { description } = await workflows.update('Face.json', { description: 'Another' });
    assert.equal(description, 'Another');
  });

  test('[HOST-34] saves of the editor and of the console keep what was before, and no more than 20', async () => {
    const { workflows, key } = await newClient(server.current);
    const api = client(server.current.url, { apiKey: key });
    const { id } = await workflows.save({ '1': { class_type: 'A', inputs: { n: 1 } } }, { name: 'versions' });
    const at = (n: number) => ({ '1': { class_type: 'A', inputs: { n } } });
    await api.post(`/api/userdata/${encodeURIComponent(`workflows/${id}`)}`, at(2));
    // Saving the same again adds no version.
    await api.post(`/api/userdata/${encodeURIComponent(`workflows/${id}`)}`, at(2));
    const { latest_version: third } = await workflows.update(id, { workflow: at(3) });
    assert.equal(third, 3);
    assert.deepEqual(
      (await workflows.versions(id)).map(({ version }) => version),
      [2, 1],
    );
    assert.deepEqual((await workflows.get(id, { version: 1 })).workflow_json, at(1));
    assert.deepEqual((await workflows.get(id)).workflow_json, at(3));
    assert.equal(await statusOf(workflows.get(id, { version: 4 })), 404);

    const { id: moved } = await workflows.update(id, { name: 'moved' });
    for (let n = 4; n <= 24; n += 1) await workflows.update(moved, { workflow: at(n) });
    const versions = await workflows.versions(moved);
    assert.deepEqual([versions.length, versions[0]?.version, versions.at(-1)?.version], [20, 23, 4]);
    await workflows.delete(moved);
    await workflows.save(at(1), { name: 'moved' });
    assert.deepEqual(await workflows.versions(moved), []);
  });

  test('[HOST-35] a shared workflow can be read by others until the sharing ends', async () => {
    const owner = await newClient(server.current);
    const other = await newClient(server.current);
    const { id } = await owner.workflows.save(textWorkflow('one'), { name: 'shared' });
    const shareId = await owner.workflows.share(id);
    assert.equal(await owner.workflows.share(id), shareId);
    assert.equal((await owner.workflows.list())[0]?.share_id, shareId);
    await owner.workflows.update(id, { workflow: textWorkflow('two') });
    const read = await other.workflows.getShared(shareId);
    assert.equal(read.name, 'shared');
    assert.deepEqual(read.workflow_json, textWorkflow('two'));
    assert.equal(await statusOf(other.workflows.get(id)), 404);
    assert.equal((await client(server.current.url).get(`/api/shared-workflows/${shareId}`)).status, 401);

    await owner.workflows.unshare(id);
    assert.equal(await statusOf(other.workflows.getShared(shareId)), 404);
    assert.notEqual(await owner.workflows.share(id), shareId);
  });
});
