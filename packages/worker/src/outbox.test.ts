import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { MAX_JOB_MESSAGE_BYTES } from '@atelier/contracts/worker-protocol';

import { createOutbox, type Frame } from './outbox.ts';

const TEXT = 'x'.repeat(2 ** 20);

/** Says more than an attempt may, to a server that acknowledges nothing. */
async function sayTooMuch(isConnected: boolean) {
  const sent: Frame[] = [];
  const outbox = createOutbox({ send: (frame) => void sent.push(frame), isConnected: () => isConnected });
  let isGivenUp = false;
  const attempt = outbox.open('job/1', undefined, () => {
    isGivenUp = true;
  });
  for (let count = 0; count < 200; count += 1) {
    attempt.event({
      type: 'executed',
      data: { prompt_id: 'job', node: '1', display_node: '1', output: { text: [TEXT] } },
    });
    await turn();
  }
  return { isGivenUp, last: String(sent.at(-1)), attempts: outbox.attempts() };
}

test('a connected server is told that an attempt was given up because of its size', async () => {
  const { isGivenUp, last, attempts } = await sayTooMuch(true);
  assert.ok(isGivenUp);
  const { number, ...lost } = JSON.parse(last) as Record<string, unknown>;
  assert.equal(lost['type'], 'lost');
  assert.equal(lost['attempt'], 'job/1');
  assert.ok(Number(number) > 1);
  assert.deepEqual(attempts, []);
});

test('for another server, the attempt is missing in the next hello', async () => {
  const { isGivenUp, last, attempts } = await sayTooMuch(false);
  assert.ok(isGivenUp);
  assert.equal(last, 'undefined');
  assert.deepEqual(attempts, []);
});

test('no message is larger than the server accepts: events are split, and an end that is too large gives up the attempt', async () => {
  const sent: Frame[] = [];
  const outbox = createOutbox({ send: (frame) => void sent.push(frame), isConnected: () => true });
  let isGivenUp = false;
  const attempt = outbox.open('job/1', undefined, () => {
    isGivenUp = true;
  });
  for (let count = 0; count < 20; count += 1) {
    const data = { prompt_id: 'job', node: '1', display_node: '1', output: { text: [TEXT] } };
    attempt.event({ type: 'executed', data });
  }
  attempt.end({
    status: 'success',
    outputs: { 1: { text: Array.from({ length: 10 }, () => TEXT) } },
    meta: {},
    executed: [],
  });
  const messages = sent.map((frame) => JSON.parse(String(frame)) as { number: number; events?: unknown[] });
  assert.ok(sent.every((frame) => frame.length <= MAX_JOB_MESSAGE_BYTES));
  assert.deepEqual(
    messages.map(({ number }) => number),
    messages.map((_message, index) => index + 1),
  );
  assert.equal(messages.flatMap(({ events = [] }) => events).length, 20);
  assert.match(String(sent.at(-1)), /"lost"/);
  assert.ok(isGivenUp);
});
