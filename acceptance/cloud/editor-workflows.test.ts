import assert from 'node:assert/strict';
import { test } from 'node:test';

import { newSubmitter } from '../support/cloud.ts';
import { assertInvalidWorkflow } from '../support/error-shapes.ts';
import { onAnyEngine } from '../support/servers.ts';

/** As the editor saves it: nodes with their widgets' values in a row, and links by number. */
function editorWorkflow({ blur = 0 }: { blur?: 0 | 2 | 4 } = {}) {
  return {
    last_node_id: 4,
    last_link_id: 3,
    nodes: [
      {
        id: 1,
        type: 'EmptyImage',
        mode: 0,
        outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [1] }],
        widgets_values: [32, 24, 1, 255],
      },
      {
        id: 2,
        type: 'Reroute',
        mode: 0,
        inputs: [{ name: '', type: '*', link: 1 }],
        outputs: [{ name: '', type: 'IMAGE', links: [2] }],
      },
      {
        id: 3,
        type: 'ImageBlur',
        mode: blur,
        inputs: [{ name: 'image', type: 'IMAGE', link: 2 }],
        outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [3] }],
        widgets_values: [2, 1],
      },
      {
        id: 4,
        type: 'SaveImage',
        mode: 0,
        inputs: [{ name: 'images', type: 'IMAGE', link: 3 }],
        widgets_values: ['from-editor'],
      },
      { id: 5, type: 'Note', mode: 0, widgets_values: ['a remark'] },
    ],
    links: [
      [1, 1, 0, 2, 0, 'IMAGE'],
      [2, 2, 0, 3, 0, 'IMAGE'],
      [3, 3, 0, 4, 0, 'IMAGE'],
    ],
    groups: [],
    version: 0.4,
  };
}

interface Ended {
  readonly prompt_id: string;
  readonly status: string;
  readonly outputs: Readonly<Record<string, { readonly images?: readonly { readonly filename: string }[] }>>;
}

onAnyEngine('workflows as the editor saves them', (server) => {
  for (const [what, blur] of [
    ['as they stand', 0],
    ['with a bypassed node', 4],
  ] as const) {
    test(`[JOB-9] run ${what}`, async () => {
      const { api } = await newSubmitter(server.current);
      const { status, body } = await api.post<Ended>('/api/prompt?wait=60', {
        prompt: editorWorkflow({ blur }),
      });
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.status, 'completed');
      assert.match(body.outputs['4']?.images?.[0]?.filename ?? '', /^from-editor_/);
      const job = await api.get<{ workflow: { prompt: Record<string, { class_type: string }> } }>(
        `/api/jobs/${body.prompt_id}`,
      );
      const types = new Set(Object.values(job.body.workflow.prompt).map(({ class_type }) => class_type));
      assert.equal(types.has('ImageBlur'), blur === 0);
      assert.equal(types.has('Note'), false);
    });
  }

  test('[JOB-9] run too when the file itself is the body, and stay readable for the editor', async () => {
    const { api } = await newSubmitter(server.current);
    const workflow = editorWorkflow();
    const { status, body } = await api.post<Ended>('/api/prompt?wait=60', workflow);
    assert.deepEqual([status, body.status], [200, 'completed']);
    const job = await api.get<{ workflow: { extra_data: { extra_pnginfo: { workflow: unknown } } } }>(
      `/api/jobs/${body.prompt_id}`,
    );
    assert.deepEqual(job.body.workflow.extra_data.extra_pnginfo.workflow, workflow);
  });

  test('[JOB-9] are refused with a sentence when nothing is left to run', async () => {
    const { api } = await newSubmitter(server.current);
    const { status, body } = await api.post('/api/prompt', { prompt: editorWorkflow({ blur: 2 }) });
    assert.equal(status, 400);
    assertInvalidWorkflow(body);
  });

  test('[JOB-9] that are broken get 400 and harm nothing', async () => {
    const { api } = await newSubmitter(server.current);
    for (const prompt of [
      { nodes: [], links: [] },
      { nodes: [null], links: [null] },
      { nodes: [{ id: 1, type: 'SaveImage' }], links: [[1, 2]] },
      { nodes: [{ id: 1, type: 'Nope' }], links: [] },
    ]) {
      const { status, body } = await api.post('/api/prompt', { prompt });
      assert.equal(status, 400);
      assertInvalidWorkflow(body);
    }
  });
});
