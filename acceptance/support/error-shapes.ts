import assert from 'node:assert/strict';

/** How an error looks, by area: see docs/errors.md. */
export type Shape = 'error' | 'details' | 'code' | 'prompt';

export function assertShape(body: unknown, shape: Shape): void {
  assert.ok(typeof body === 'object' && body !== null, `not an object: ${JSON.stringify(body)}`);
  const fields = body as Readonly<Record<string, unknown>>;
  const text = JSON.stringify(body);
  switch (shape) {
    case 'error':
      assert.deepEqual(Object.keys(fields).toSorted(), ['error', 'message'], text);
      assert.ok(isText(fields['error']) && isText(fields['message']), text);
      return;
    case 'details':
      assert.deepEqual(Object.keys(fields).toSorted(), ['details', 'message'], text);
      assert.ok(Array.isArray(fields['details']) && fields['details'].every(isText), text);
      assert.ok(isText(fields['message']), text);
      return;
    case 'code':
      assert.deepEqual(
        Object.keys(fields)
          .filter((key) => key !== 'details')
          .toSorted(),
        ['code', 'message'],
        text,
      );
      assert.ok(isText(fields['code']) && isText(fields['message']), text);
      return;
    case 'prompt': {
      assert.deepEqual(Object.keys(fields).toSorted(), ['error', 'node_errors'], text);
      assert.deepEqual(fields['node_errors'], {}, text);
      const error = fields['error'] as Readonly<Record<string, unknown>>;
      assert.deepEqual(Object.keys(error).toSorted(), ['details', 'extra_info', 'message', 'type'], text);
      assert.ok(isText(error['type']) && isText(error['message']), text);
      assert.equal(typeof error['details'], 'string', text);
      assert.deepEqual(error['extra_info'], {}, text);
    }
  }
}

/** A graph that failed validation: the same shape, and it may say which nodes are wrong. */
export function assertInvalidWorkflow(body: unknown): void {
  const { error, node_errors: nodeErrors } = body as Readonly<Record<string, Record<string, unknown>>>;
  const text = JSON.stringify(body);
  for (const part of [error?.['extra_info'], nodeErrors]) {
    assert.ok(typeof part === 'object' && part !== null && !Array.isArray(part), text);
  }
  assertShape({ ...(body as object), error: { ...error, extra_info: {} }, node_errors: {} }, 'prompt');
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
