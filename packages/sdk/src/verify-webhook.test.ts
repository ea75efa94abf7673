import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';

import { WebhookError } from './errors.ts';
import { verifyWebhook } from './verify-webhook.ts';

const key = randomBytes(32);
const secret = `whsec_${key.toString('base64')}`;
const body = '{"type":"job.completed"}';
const now = (): string => String(Math.floor(Date.now() / 1000));
const sign = (id: string, time: string, text: string): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${time}.${text}`).digest('base64')}`;
const headersOf = (time = now()) => ({
  'webhook-id': 'm1',
  'webhook-timestamp': time,
  'webhook-signature': sign('m1', time, body),
});

describe('a webhook', () => {
  it('is read when one of its signatures fits, whatever the headers come as', async () => {
    const headers = headersOf();
    const several = { ...headers, 'webhook-signature': `v1,AAAA v2,x ${headers['webhook-signature']}` };
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    for (const given of [headers, new Headers(headers), several, upper]) {
      const message = await verifyWebhook<{ type: string }>(body, given, secret);
      assert.deepEqual([message.id, message.body.type], ['m1', 'job.completed']);
    }
    assert.equal((await verifyWebhook(Buffer.from(body), headers, secret)).id, 'm1');
  });

  it('is refused when anything was changed, is missing or is old', async () => {
    const old = String(Number(now()) - 301);
    const other = `whsec_${randomBytes(32).toString('base64')}`;
    for (const [text, headers, given] of [
      [`${body} `, headersOf(), secret],
      [body, { ...headersOf(), 'webhook-id': 'm2' }, secret],
      [body, headersOf(), other],
      [body, headersOf(old), secret],
      [body, headersOf('soon'), secret],
      [body, {}, secret],
      [body, { ...headersOf(), 'webhook-signature': 'v1,%%% v1' }, secret],
      [body, headersOf(), 'whsec_%%%'],
    ] as const) {
      await assert.rejects(verifyWebhook(text, headers, given), WebhookError);
    }
    assert.equal((await verifyWebhook(body, headersOf(old), secret, { toleranceSeconds: 600 })).id, 'm1');
  });
});
