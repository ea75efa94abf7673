import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { JobEvent } from '@atelier/sdk';

import { type LiveRun, NOT_STARTED, runAfter } from './live-run.ts';

it('A run adds up what its nodes tell, and begins anew with each attempt.', () => {
  const after = (run: LiveRun, type: string, data: unknown) =>
    runAfter(run, { type, data, attempt: 1 } as unknown as JobEvent);
  let run = after(NOT_STARTED, 'notification', { value: 'Waiting for a GPU.' });
  assert.equal(run.message, 'Waiting for a GPU.');
  run = after(run, 'execution_start', {});
  assert.equal(run.state, 'running');
  assert.equal(run.message, undefined);
  run = after(run, 'execution_cached', { nodes: ['1'] });
  run = after(run, 'executing', { node: '2', display_node: '2' });
  const state = (value: number, name: string) => ({
    nodes: {
      2: { display_node_id: '2', value, max: 20, state: name },
      1: { display_node_id: '1', value: 1, max: 1, state: 'finished' },
    },
  });
  run = after(run, 'progress_state', state(12, 'running'));
  assert.deepEqual(run.nodes.get('2'), { state: 'running', value: 12, max: 20, output: undefined });
  assert.equal(run.nodes.get('1')?.state, 'cached');
  run = after(run, 'progress_state', state(20, 'finished'));
  run = after(run, 'executed', { node: '2', display_node: '2', output: { images: [1] } });
  assert.deepEqual(run.nodes.get('2'), { state: 'done', value: 20, max: 20, output: { images: [1] } });
  assert.equal(after(run, 'execution_success', {}), run);
  assert.equal(after(run, 'execution_start', {}).nodes.size, 0);
});
