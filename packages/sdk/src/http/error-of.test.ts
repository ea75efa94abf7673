import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { WorkflowRefusedError } from '../errors.ts';
import { errorOf } from './error-of.ts';

const answer = async (status: number, body: unknown, headers: Record<string, string> = {}) =>
  await errorOf(
    new Response(typeof body === 'string' ? body : JSON.stringify(body), {
      status,
      headers: { 'x-request-id': 'run-1', ...headers },
    }),
  );

describe('an error of the server', () => {
  it('is read in each of its four shapes', async () => {
    const first = await answer(404, { error: 'resource.not_found', message: 'There is no x.' });
    assert.deepEqual(
      [first.code, first.status, first.requestId, first.isRetryable],
      ['resource.not_found', 404, 'run-1', false],
    );
    const details = await answer(402, { details: ['credits.insufficient'], message: 'Too few.' });
    assert.equal(details.code, 'credits.insufficient');
    const problems = await answer(400, {
      details: ['duration must be 5'],
      message: 'The body is not valid.',
    });
    assert.deepEqual(
      [problems.code, problems.message],
      ['request.invalid', 'The body is not valid: duration must be 5'],
    );
    const code = await answer(400, {
      code: 'request.invalid',
      message: 'Bad.',
      details: { problems: ['a', 'b'] },
    });
    assert.deepEqual(code.details, ['a', 'b']);
    const prompt = await answer(
      429,
      {
        error: { type: 'QUEUE_LIMIT', message: 'Wait.', details: '', extra_info: {} },
        node_errors: {},
      },
      { 'retry-after': '7' },
    );
    assert.deepEqual(
      [prompt.code, prompt.isRetryable, prompt.retryAfterMs],
      ['cloud.queue_limit', true, 7000],
    );
  });

  it('of a workflow has what is wrong with each node', async () => {
    const node = {
      errors: [{ type: 't', message: 'Bad value', details: 'seed is -1', extra_info: {} }],
      dependent_outputs: [],
      class_type: 'KSampler',
    };
    const error = await answer(400, {
      error: {
        type: 'prompt_outputs_failed_validation',
        message: 'It cannot run',
        details: '',
        extra_info: {},
      },
      node_errors: { 3: node },
    });
    assert.ok(error instanceof WorkflowRefusedError);
    assert.equal(error.type, 'prompt_outputs_failed_validation');
    assert.deepEqual(error.nodeErrors, { 3: node });
    assert.equal(error.message, 'It cannot run: Node 3 (KSampler): seed is -1');
  });

  it('of something else says so, and whether it may pass', async () => {
    const gateway = await answer(502, '<html>Bad gateway</html>');
    assert.deepEqual([gateway.code, gateway.isRetryable], ['client.answer', true]);
    assert.equal((await answer(404, 'no such page')).isRetryable, false);
    const newer = await answer(409, { error: 'brand.new_code', message: 'A newer server.' });
    assert.deepEqual([newer.code, newer.status, newer.details], ['client.answer', 409, ['brand.new_code']]);
  });
});
