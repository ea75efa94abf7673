import assert from 'node:assert/strict';
import { it } from 'node:test';

import type { NodeProgress } from '../wire.ts';
import type { JobEvent } from './job-events.ts';
import { createProgressTracker } from './job-progress.ts';

const prompt_id = 'job';
const start = (attempt: number): JobEvent => ({
  type: 'execution_start',
  data: { prompt_id, timestamp: 1 },
  attempt,
});
const step = (node: string, value: number, max: number): JobEvent => ({
  type: 'progress',
  data: { node, value, max, prompt_id },
  attempt: 1,
});
const finished = (...ids: string[]): JobEvent => ({
  type: 'progress_state',
  data: {
    prompt_id,
    nodes: Object.fromEntries(
      ids.map((id) => [id, { state: 'finished', real_node_id: id, node_id: id } as NodeProgress]),
    ),
  },
  attempt: 1,
});

it('progress counts cached and finished nodes and the part of the one that works, and begins anew with an attempt', () => {
  const tracker = createProgressTracker(4);
  const after = (event: JobEvent): number | undefined => tracker.after(event)?.fraction;
  assert.equal(after(start(1)), 0);
  assert.equal(
    after({ type: 'execution_cached', data: { nodes: ['1'], prompt_id, timestamp: 2 }, attempt: 1 }),
    0.25,
  );
  assert.equal(after(step('2', 1, 2)), 0.375);
  assert.equal(after(finished('2')), 0.5);
  assert.equal(after(finished('2')), undefined, 'no repeat');
  assert.equal(after(step('3', 0, 0)), 0.5);
  assert.equal(
    after({ type: 'execution_success', data: { prompt_id, timestamp: 3 }, attempt: 1 }),
    undefined,
  );
  assert.deepEqual(tracker.after(start(2)), {
    fraction: 0,
    nodesDone: 0,
    nodesTotal: 4,
    node: undefined,
    message: undefined,
    attempt: 2,
  });
  assert.equal(tracker.finished()?.fraction, 1);
  assert.equal(tracker.finished(), undefined);
});
