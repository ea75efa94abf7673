import assert from 'node:assert/strict';
import { it } from 'node:test';

import { jobSourcesOf } from './job.state.ts';

it('jobs end from where they run, are cancelled from anywhere before, and wait again only after they ran', () => {
  assert.deepEqual(jobSourcesOf('pending'), ['in_progress']);
  assert.deepEqual(jobSourcesOf('in_progress'), ['pending']);
  assert.deepEqual(jobSourcesOf('completed'), ['in_progress']);
  assert.deepEqual(jobSourcesOf('failed'), ['in_progress']);
  assert.deepEqual(jobSourcesOf('cancelled'), ['pending', 'in_progress']);
});
