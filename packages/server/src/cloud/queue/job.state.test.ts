import assert from 'node:assert/strict';
import { it } from 'node:test';

import { jobSourcesOf } from './job.state.ts';

it('only running jobs end or wait again, and any unfinished job can be cancelled', () => {
  assert.deepEqual(jobSourcesOf('pending'), ['in_progress']);
  assert.deepEqual(jobSourcesOf('in_progress'), ['pending']);
  assert.deepEqual(jobSourcesOf('completed'), ['in_progress']);
  assert.deepEqual(jobSourcesOf('failed'), ['in_progress']);
  assert.deepEqual(jobSourcesOf('cancelled'), ['pending', 'in_progress']);
});
