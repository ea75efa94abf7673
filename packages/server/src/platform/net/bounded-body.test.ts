import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { describe, it } from 'node:test';

import { boundBody } from './bounded-body.ts';
import type { OpenAnswer } from './exchange.ts';
import { because } from './test/loopback-server.ts';

// Moments that a real server cannot be made to hit; the rest is in outbound-bounds.test.ts.
describe('bounded body', () => {
  for (const [header, value] of [
    ['content-length', '4'],
    ['transfer-encoding', 'gzip, Chunked'],
  ] as const) {
    it(`is complete when the connection fails after the end that ${header} defines`, async () => {
      const body = bound({ body: Readable.from([Buffer.from('full')]), headers: { [header]: value } });
      const chunks = await body.toArray();
      assert.equal(chunks.join(''), 'full');
    });
  }

  it('is broken when the connection fails and nothing else defines its end', async () => {
    for (const headers of [{}, { 'transfer-encoding': 'gzip' }]) {
      const body = bound({ body: Readable.from([Buffer.from('part')]), headers });
      await assert.rejects(body.toArray(), because('network', { sent: true }));
    }
  });

  it('fails at once when the answer has failed already', async () => {
    const source = new PassThrough().destroy();
    await once(source, 'close');
    await assert.rejects(bound({ body: source }).toArray(), because('network'));
  });

  it('fails at once when the deadline has passed already', async () => {
    const body = bound({ body: new PassThrough() }, AbortSignal.abort(new Error('late')));
    await assert.rejects(body.toArray(), because('network'));
  });
});

function bound(
  answer: Pick<OpenAnswer, 'body'> & Partial<OpenAnswer>,
  signal = new AbortController().signal,
): Readable {
  const failed: OpenAnswer = {
    status: 200,
    headers: {},
    failure: () => new Error('read ECONNRESET'),
    release: () => {},
    ...answer,
  };
  return boundBody(failed, { maxBytes: 100, signal, onClose: () => {} });
}
