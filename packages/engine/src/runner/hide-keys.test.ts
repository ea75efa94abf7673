import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import { hideKeys } from './hide-keys.ts';

const key = (n: number): string => `key-${String(n).padStart(4, '0')}`;

async function written(stream: PassThrough): Promise<Buffer> {
  stream.end();
  return await buffer(stream);
}

describe('what nodes write', () => {
  it('has no key of this job or an earlier one, as text and as bytes', async () => {
    const stream = new PassThrough();
    const hide = hideKeys([stream]);
    stream.write(`${key(1)} is nobody's yet. `);
    hide({ api_key_comfy_org: key(1), auth_token_comfy_org: 'a.b.c' });
    hide({ api_key_comfy_org: key(2), comfy_usage_source: 'editor' });
    hide({ api_key_comfy_org: '' });
    stream.write(`${key(1)} ${key(2)} ${key(1)} a.b.c editor. `);
    stream.write(Buffer.concat([Buffer.of(0xff), Buffer.from(`é ${key(2)} `), Buffer.of(0xc3)]));
    assert.deepEqual(
      await written(stream),
      Buffer.concat([
        Buffer.from(`${key(1)} is nobody's yet. [REDACTED] [REDACTED] [REDACTED] [REDACTED] editor. `),
        Buffer.of(0xff),
        Buffer.from('é [REDACTED] '),
        Buffer.of(0xc3),
      ]),
    );
  });

  it('is searched for the last 100 keys', async () => {
    const stream = new PassThrough();
    const hide = hideKeys([stream]);
    for (let n = 0; n < 100; n += 1) hide({ api_key_comfy_org: key(n) });
    hide({ api_key_comfy_org: key(0) });
    hide({ api_key_comfy_org: key(100) });
    stream.write([0, 1, 2, 100].map(key).join(' '));
    assert.equal(String(await written(stream)), `[REDACTED] ${key(1)} [REDACTED] [REDACTED]`);
  });

  it('says when it is written', async () => {
    const stream = new PassThrough();
    hideKeys([stream]);
    await new Promise<void>((resolve) => {
      stream.write('6f6b', 'hex', () => resolve());
    });
    assert.equal(String(await written(stream)), 'ok');
  });
});
