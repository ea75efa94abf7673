import assert from 'node:assert/strict';
import { it } from 'node:test';
import { NodeError } from '../node-error.ts';
import { describeFailure } from './describe-failure.ts';

it('a failure of the device has a name of its own, unless a node only quotes one', () => {
  const typeOf = (cause: unknown) => describeFailure(cause, {}).exception_type;
  assert.equal(typeOf(new Error('CUDA error: an illegal memory access was encountered')), 'DeviceError');
  assert.equal(typeOf(new NodeError('ValueError', 'No such file: CUDA error')), 'ValueError');
  assert.equal(typeOf(new Error('No such file: CUDA error')), 'Error');
  assert.equal(typeOf(new RangeError('out of range')), 'RangeError');
});
