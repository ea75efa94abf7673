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
      assert.ok(isObject(fields['node_errors']), text);
      const error = fields['error'] as Readonly<Record<string, unknown>>;
      assert.deepEqual(Object.keys(error).toSorted(), ['details', 'extra_info', 'message', 'type'], text);
      assert.ok(isText(error['type']) && isText(error['message']), text);
      assert.equal(typeof error['details'], 'string', text);
      assert.ok(isObject(error['extra_info']), text);
    }
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
