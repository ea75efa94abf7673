import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { AppError } from '../errors/app-error.ts';
import { renderError, shapeOfPath } from './error-shapes.ts';

describe('the shape of an error', () => {
  for (const [path, shape] of [
    ['/publishers', 'error'],
    ['/proxy/imagevendor/v1/ai/image-relight', 'error'],
    ['/proxy/videovendor/text2video', 'details'],
    ['/proxy/vidu/text2video', 'details'],
    ['/api/job/1/status', 'code'],
    ['/api', 'code'],
    ['/apiary', 'error'],
    ['/api/prompt', 'prompt'],
    ['/prompt', 'prompt'],
    ['/api/prompts', 'code'],
  ] as const) {
    it(`of ${path} is "${shape}"`, () => assert.equal(shapeOfPath(path), shape));
  }

  it('shows the same failure in four forms', () => {
    const error = new AppError('request.invalid', 'The body is not valid:', {
      details: ['star must be >= 1'],
    });
    assert.deepEqual(renderError(error, 'error'), {
      error: 'request.invalid',
      message: 'The body is not valid: star must be >= 1.',
    });
    assert.deepEqual(renderError(error, 'details'), {
      details: ['star must be >= 1'],
      message: 'The body is not valid.',
    });
    assert.deepEqual(renderError(error, 'code'), {
      code: 'request.invalid',
      message: 'The body is not valid.',
      details: { problems: ['star must be >= 1'] },
    });
    assert.deepEqual(renderError(error, 'prompt'), {
      error: {
        type: 'request.invalid',
        message: 'The body is not valid.',
        details: 'star must be >= 1',
        extra_info: {},
      },
      node_errors: {},
    });
  });
});
