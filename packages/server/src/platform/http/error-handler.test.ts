import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';

import { AppError } from '../errors/app-error.ts';
import { handleError, toAppError } from './error-handler.ts';

/** An error as the framework throws it. */
function refusal(statusCode: number, code?: string): Error {
  return Object.assign(new Error('No.'), { statusCode, code });
}

describe('an error of the framework', () => {
  for (const [thrown, code, status] of [
    [401, 'auth.required', 401],
    [403, 'auth.forbidden', 403],
    [404, 'route.unknown', 404],
    [405, 'request.invalid', 400],
    [413, 'request.too_large', 413],
    [414, 'request.invalid', 400],
    [415, 'request.media_type', 415],
    [422, 'request.invalid', 400],
    [499, 'request.invalid', 400],
  ] as const) {
    it(`with status ${thrown} and an unknown code is ${code}, not a failure of the server`, () => {
      const { code: got, status: shown, message } = toAppError(refusal(thrown, 'FST_ERR_NEW'), 'id');
      assert.deepEqual([got, shown, message], [code, status, 'No.']);
    });
  }

  it('that is exposed to callers keeps its status, even without a code', () => {
    const error = Object.assign(refusal(403), { expose: true });
    assert.equal(toAppError(error, 'id').code, 'auth.forbidden');
  });

  it('that has a status of 5xx or none is a failure of the server', () => {
    for (const error of [refusal(500, 'FST_ERR_X'), refusal(503, 'FST_ERR_X'), new Error('x'), 'x', null]) {
      assert.equal(toAppError(error, 'id').code, 'internal');
    }
  });

  it('for a path with an overlong part is 400', async () => {
    await using app = Fastify({
      routerOptions: { maxParamLength: 10 },
      frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
    });
    app.get('/things/:id', async () => 'a thing');
    const answer = await app.inject(`/things/${'x'.repeat(11)}`);
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json<{ error: string }>().error, 'request.invalid');
  });
});

describe('an error of anything else', () => {
  it('is not the fault of the caller, whatever status another server gave it', () => {
    for (const status of [401, 403, 404, 429])
      assert.equal(toAppError(refusal(status), 'id').code, 'internal');
    assert.equal(toAppError(refusal(404, 'NoSuchKey'), 'id').code, 'internal');
  });

  it('is a broken request while the body is read, even if it looks like a lost database', () => {
    const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 });
    assert.equal(toAppError(aborted, 'id').code, 'request.malformed');
  });

  it('is a full disk or a lost database in any wording', () => {
    const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });
    for (const [error, code] of [
      [withCode('ENOSPC'), 'server.disk_full'],
      [withCode('EDQUOT'), 'server.disk_full'],
      [withCode('53100'), 'server.disk_full'],
      [withCode('ERR_SQLITE_ERROR', 'database or disk is full'), 'server.disk_full'],
      [new Error('wbuffer_write: write failed\nunix error: No space left on device'), 'server.disk_full'],
      [Object.assign(withCode('ENOSPC'), { statusCode: 400 }), 'server.disk_full'],
      [withCode('57P01'), 'server.database'],
      [withCode('ECONNREFUSED'), 'server.database'],
      [new Error('Connection terminated unexpectedly'), 'server.database'],
      [new Error('Client has encountered a connection error and is not queryable'), 'server.database'],
    ] as const) {
      const failure = toAppError(error, 'id');
      assert.equal(failure.code, code, error.message);
      assert.ok(failure.retryAfterSeconds);
      assert.equal(failure.cause, error);
    }
  });

  it('is unchanged when it has one of our codes', () => {
    const error = new AppError('credits.insufficient', 'Too little.');
    assert.equal(toAppError(error, 'id'), error);
  });
});
