import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createJobProgress } from './job-progress.ts';

const graph = JSON.stringify({
  '1': { class_type: 'Load', inputs: {} },
  '2': { class_type: 'Blur', inputs: { image: ['1', 0], radius: 3 } },
  '3': { class_type: 'Save', inputs: { images: ['2', 0] } },
  unused: { class_type: 'Load', inputs: {} },
});
const job = { graph, targets: '["3"]' };

const step = (id: string, state: 'running' | 'finished', value = 0, max = 1, shown = id) => ({
  type: 'node_progress' as const,
  data: {
    node_id: id,
    display_node_id: shown,
    real_node_id: id,
    parent_node_id: null,
    prompt_id: 'job',
    state,
    value,
    max,
  },
});

describe('the progress of a job', () => {
  it('counts the nodes that its targets need, and the share of the current one', () => {
    const progress = createJobProgress(job);
    assert.deepEqual([progress.read().value, progress.read().nodes_total], [0, 3]);
    progress.note({
      type: 'execution_cached',
      data: { nodes: ['1', 'unused'], prompt_id: 'job', timestamp: 1 },
    });
    progress.note(step('2', 'running', 5, 10));
    progress.note({ type: 'progress', data: { value: 5, max: 10, node: '2', prompt_id: 'job' } });
    assert.deepEqual(progress.read(), {
      value: 0.5,
      nodes_done: 1,
      nodes_total: 3,
      current_node: '2',
      current_node_class: 'Blur',
      step: 5,
      steps: 10,
      message: null,
    });
    progress.note(step('2', 'finished', 10, 10));
    progress.note(step('3', 'finished', 1, 1));
    const { value, nodes_done, current_node, step: at } = progress.read();
    assert.deepEqual([value, nodes_done, current_node, at], [1, 3, null, null]);
  });

  it('never decreases, even when a node expands into others', () => {
    const progress = createJobProgress(job);
    progress.note(step('2', 'running', 9, 10));
    const before = progress.read().value;
    progress.note(step('2.0.1', 'running', 0, 10, '2'));
    const { value, nodes_total, current_node } = progress.read();
    assert.deepEqual([value, nodes_total, current_node], [before, 3, '2']);
  });

  it('is the same when read from a state with all nodes', () => {
    const progress = createJobProgress(job);
    progress.noteState({ '1': step('1', 'finished').data, '2': step('2', 'running', 1, 2).data });
    const { value, nodes_done, current_node_class } = progress.read();
    assert.deepEqual([value, nodes_done, current_node_class], [0.5, 1, 'Blur']);
  });
});
