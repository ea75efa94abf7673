import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ScriptedAnswer } from '@atelier/testing';

import { OutboundError } from '../../platform/net/outbound-error.ts';
import { startOutbound } from '../../platform/net/test/loopback-server.ts';
import { Secret } from '../../platform/secret.ts';
import { CASES, KEY, type Setting, set, TASK_ID, troubleOf } from './test/http-vendor.ts';
import type { VendorTask } from './vendor.ts';

const SOON = { beginTimeoutMs: 200, checkTimeoutMs: 200 };
const DATE = 'Sun, 01 Mar 2026 12:00:00 GMT';
const IN_90_S = 'Sun, 01 Mar 2026 12:01:30 GMT';

/** Nothing here may be taken for "not begun". */
const LOST: Readonly<Record<string, ScriptedAnswer>> = {
  'HTTP 500': { status: 500, body: { message: 'oops' } },
  'HTTP 502 with a page': { status: 502, body: '<html>bad gateway</html>' },
  'HTTP 503 that names no time': { status: 503 },
  'HTTP 503 with a time that cannot be read': { status: 503, headers: { 'retry-after': 'soon' } },
  'HTTP 504': { status: 504, headers: { 'retry-after': '3' } },
  'HTTP 408': { status: 408 },
  'HTTP 499': { status: 499 },
  'a redirect': { status: 302, headers: { location: '/elsewhere' } },
  'malformed JSON': { body: '{"data": {"task_id": ' },
  'JSON that is not an object': { body: '[]' },
  'nothing at all': { body: '' },
  'a body that breaks off': { does: 'truncate', body: '{"data":{"task_id":"1"}}' },
  'a body that never ends': { does: 'endless' },
  'a reset before the body of the request was read': { does: 'reset-unread' },
  'a reset after all of it was read': { does: 'reset-read' },
  'a reset within the answer': { does: 'reset-within-answer' },
};

for (const which of ['image', 'video'] as const) {
  const { begins, looks, begun, going, task, toBody } = CASES[which];

  describe(`the ${which} vendor, asked to begin`, () => {
    it('has begun when it returns a task id, however slowly', async (t) => {
      const { script, begin } = await set(t, which);
      const gate = Promise.withResolvers<void>();
      script.on(begins, { body: begun, after: gate.promise, delayMs: 20 });
      const standing = begin();
      await script.arrival(begins);
      gate.resolve();
      const { state, ...rest } = await standing;
      assert.equal(state, 'queued');
      assert.ok('vendorTaskId' in rest && rest.vendorTaskId === TASK_ID);
    });

    it('gets one request, which the adapter never repeats', async (t) => {
      const { script, begin } = await set(t, which);
      for (const answer of Object.values(LOST)) {
        const before = script.to(begins).length;
        script.on(begins, answer, { body: begun });
        await troubleOf(begin());
        assert.equal(script.to(begins).length, before + 1);
      }
      assert.equal(script.requests.length, Object.keys(LOST).length);
    });

    for (const [kind, answer] of Object.entries(LOST)) {
      it(`may have begun after ${kind}`, async (t) => {
        const { script, begin } = await set(t, which);
        script.on(begins, answer);
        const trouble = await troubleOf(begin());
        assert.equal(trouble.mayHaveArrived, true);
        assert.match(trouble.message, new RegExp(`^The ${which} vendor `));
      });
    }

    it('may have begun if it hangs until the deadline', async (t) => {
      const { script, begin } = await set(t, which, SOON);
      script.on(begins, { does: 'hang' });
      const trouble = await troubleOf(begin());
      assert.equal(trouble.mayHaveArrived, true);
      assert.match(trouble.message, /within 200 ms/);
    });

    it('explains why its good answer was lost, and keeps the cause', async (t) => {
      const { script, begin } = await set(t, which);
      script.on(begins, { does: 'truncate', body: '{}' });
      const trouble = await troubleOf(begin());
      assert.match(trouble.message, /^The (image|video) vendor gave no answer\. The connection broke off/);
      assert.ok(trouble.cause instanceof OutboundError);
    });

    it('may have begun if its good answer has no valid task id', async (t) => {
      const { script, begin } = await set(t, which);
      for (const id of [undefined, null, 5, '', '..', 'a b', 'x'.repeat(1_000)]) {
        script.on(begins, {
          body: which === 'image' ? { data: { task_id: id, status: 'CREATED' } } : { task_id: id },
        });
        assert.equal((await troubleOf(begin())).mayHaveArrived, true, String(id));
      }
    });

    it('has not begun if it is too busy, with Retry-After in seconds or as a date', async (t) => {
      const { script, begin } = await set(t, which);
      for (const status of [429, 503]) {
        script.on(begins, { status, headers: { 'retry-after': '7' } });
        const seconds = await troubleOf(begin());
        assert.deepEqual([seconds.mayHaveArrived, seconds.retryAfterMs], [false, 7_000]);
        script.on(begins, { status, headers: { date: DATE, 'retry-after': IN_90_S } });
        const date = await troubleOf(begin());
        assert.deepEqual([date.mayHaveArrived, date.retryAfterMs], [false, 90_000]);
      }
    });

    it('may ask for at most an hour, or for no delay', async (t) => {
      const { script, begin } = await set(t, which);
      script.on(begins, { status: 429, headers: { 'retry-after': '86400' } }, { status: 429 });
      assert.equal((await troubleOf(begin())).retryAfterMs, 3_600_000);
      const silent = await troubleOf(begin());
      assert.deepEqual([silent.mayHaveArrived, silent.retryAfterMs], [false, undefined]);
    });

    it('is busy even if the rest of its answer is endless or breaks off', async (t) => {
      const { script, begin } = await set(t, which);
      script.on(
        begins,
        {
          status: 429,
          headers: { 'retry-after': '1', 'content-length': '600000' },
          body: ' '.repeat(600_000),
        },
        { status: 429, headers: { 'retry-after': '1' }, body: ' '.repeat(600_000) },
        { does: 'truncate', status: 429, headers: { 'retry-after': '1' }, body: '{"message":' },
      );
      for (let time = 0; time < 3; time += 1) {
        const { mayHaveArrived, retryAfterMs } = await troubleOf(begin());
        assert.deepEqual([mayHaveArrived, retryAfterMs], [false, 1_000]);
      }
    });

    it('has not begun without a connection: refused, unknown, not trusted or not allowed', async (t) => {
      const { script, begin } = await set(t, which);
      await script.close();
      const refused = await troubleOf(begin());
      assert.equal(refused.mayHaveArrived, false);
      const unknown = await set(t, which, { baseUrl: 'https://vendor.example' });
      assert.equal((await troubleOf(unknown.begin())).mayHaveArrived, false);
      const plain = await set(t, which);
      const untrusted = await set(t, which, { baseUrl: `https://127.0.0.1:${plain.script.port}` });
      assert.equal((await troubleOf(untrusted.begin())).mayHaveArrived, false);
      const forbidden = await set(t, which, { outbound: startOutbound(t) });
      assert.equal((await troubleOf(forbidden.begin())).mayHaveArrived, false);
      assert.equal(forbidden.script.requests.length, 0);
    });

    it('has not begun if the task was cancelled before the request, and may have if after', async (t) => {
      const { script, begin } = await set(t, which);
      script.on(begins, { does: 'hang' });
      const before = await troubleOf(begin(task, { signal: AbortSignal.abort() }));
      assert.equal(before.mayHaveArrived, false);
      assert.equal(script.requests.length, 0);
      const controller = new AbortController();
      const after = troubleOf(begin(task, { signal: controller.signal }));
      await script.arrival(begins);
      controller.abort();
      assert.equal((await after).mayHaveArrived, true);
    });

    it('refuses permanently with a code and a sentence', async (t) => {
      const { script, begin } = await set(t, which);
      const codes: Readonly<Record<number, string>> = {
        400: 'BadRequest',
        402: 'CreditInsufficient',
        404: 'NotFound',
        409: 'Conflict',
        413: 'RequestTooLarge',
        415: 'Refused',
        422: 'FieldInvalid',
      };
      for (const [status, code] of Object.entries(codes)) {
        script.on(begins, { status: Number(status), body: '<html>no</html>' });
        const standing = await begin();
        assert.ok(standing.state === 'failed');
        assert.equal(standing.code, code);
        assert.match(standing.message, /^(The|This) .*\.$/);
      }
    });

    it('refuses in its own words, sanitized and shortened', async (t) => {
      const { script, begin } = await set(t, which);
      script.on(begins, { status: 400, body: { message: `bad\n${'x'.repeat(100_000)}` } });
      const standing = await begin();
      assert.ok(standing.state === 'failed');
      assert.match(standing.message, new RegExp(`^The ${which} vendor says: bad x+…$`));
      assert.ok(standing.message.length < 350);
    });

    it('refuses even if its explanation breaks off', async (t) => {
      const { script, begin } = await set(t, which);
      script.on(begins, { does: 'truncate', status: 400, body: '{"message":' });
      assert.equal((await begin()).state, 'failed');
    });

    it('tells the administrator to check a key that is not accepted', async (t) => {
      const { script, begin } = await set(t, which);
      for (const status of [401, 403]) {
        script.on(begins, { status, body: { message: `no such key ${KEY}` } });
        const standing = await begin();
        assert.ok(standing.state === 'failed');
        assert.equal(standing.code, status === 401 ? 'Unauthorized' : 'Forbidden');
        assert.match(standing.message, /administrator should check the vendor key/);
      }
    });
  });

  describe(`the ${which} vendor, asked how a task stands`, () => {
    it('reports that the task waits, runs, or an unknown state that counts as running', async (t) => {
      const { script, check } = await set(t, which);
      script.on(looks, { body: going });
      assert.equal((await check()).state, 'running');
      for (const state of ['PAUSED', 'reviewing', 'in_progress?']) {
        script.on(looks, { body: toBody(state) });
        assert.equal((await check()).state, 'running', state);
      }
      script.on(looks, { body: toBody('created') });
      const standing = await check();
      assert.equal(standing.state, 'queued');
      assert.ok('askAgainMs' in standing);
      assert.equal(standing.askAgainMs, which === 'image' ? 2_000 : 5_000);
    });

    it('has lost a task that it does not know', async (t) => {
      const { script, check } = await set(t, which);
      for (const status of [404, 410]) {
        script.on(looks, { status });
        const standing = await check();
        assert.ok(standing.state === 'failed');
        assert.equal(standing.code, 'TaskNotFound');
      }
    });

    it('is checked again after any answer that says nothing about the task', async (t) => {
      const { script, check } = await set(t, which);
      const odd: readonly ScriptedAnswer[] = [
        ...Object.values(LOST),
        { status: 400 },
        { status: 401 },
        { status: 429 },
        { body: {} },
        { body: toBody('') },
      ];
      for (const answer of odd) {
        script.on(looks, answer);
        assert.equal((await troubleOf(check())).mayHaveArrived, false);
      }
      script.on(looks, { body: going });
      assert.equal((await check()).state, 'running');
      await script.close();
      assert.equal((await troubleOf(check())).mayHaveArrived, false);
    });

    it('is checked again after it hangs until the deadline', async (t) => {
      const { script, check } = await set(t, which, SOON);
      script.on(looks, { does: 'hang' }, { body: going });
      await troubleOf(check());
      assert.equal((await check()).state, 'running');
    });

    it('says when it should be checked again', async (t) => {
      const { script, check } = await set(t, which);
      for (const status of [429, 500, 503]) {
        script.on(looks, { status, headers: { date: DATE, 'retry-after': IN_90_S } });
        assert.equal((await troubleOf(check())).retryAfterMs, 90_000);
      }
    });

    it('keeps a task whose key is not accepted now, and tells the administrator', async (t) => {
      const { script, check } = await set(t, which);
      script.on(looks, { status: 401 });
      assert.match((await troubleOf(check())).message, /administrator should check the vendor key/);
    });

    it('is asked for an odd id at an escaped path', async (t) => {
      const { script, adapter } = await set(t, which);
      const context = { signal: new AbortController().signal, onProgress: () => {}, callbackUrl: undefined };
      script.on(looks, { body: going });
      await adapter.check('../a?b#c', task, context);
      assert.match(script.requests[0]?.path ?? '', /\/\.\.%2Fa%3Fb%23c/);
    });
  });

  describe(`the key of the ${which} vendor`, () => {
    it('appears in no failure and no trouble, even if the vendor repeats it', async (t) => {
      const setting = await set(t, which, SOON);
      const echo = {
        message: `key ${KEY}`,
        reason: KEY,
        code: KEY,
        err_code: KEY,
        invalid_params: [{ field: KEY }],
      };
      const answers: readonly ScriptedAnswer[] = [
        ...[400, 401, 402, 403, 404, 422, 429, 500, 503].map((status) => ({ status, body: echo })),
        { body: { ...echo, state: 'failed', data: { ...echo, status: 'FAILED' } } },
        { does: 'hang' },
        { does: 'reset-read' },
      ];
      for (const answer of answers) assert.deepEqual(await saidOf(setting, task, answer), []);
    });

    it('is checked when the adapter is created, without being shown', async (t) => {
      const options = { baseUrl: 'https://vendor.example', outbound: startOutbound(t) };
      for (const key of ['', 'two words', 'line\nbreak', 'schlüssel']) {
        assert.throws(
          () => CASES[which].create({ ...options, key: new Secret(key) }),
          /^Error: The (image|video) vendor needs a key of visible ASCII characters\.$/,
        );
      }
      assert.throws(
        () => CASES[which].create({ ...options, baseUrl: 'vendor.example', key: new Secret(KEY) }),
        /needs an address/,
      );
    });

    it('is not in the description, which names the host', async (t) => {
      const { adapter } = await set(t, which, { baseUrl: 'https://vendor.example:444/gateway/' });
      assert.equal(adapter.description.host, 'vendor.example:444');
      assert.equal(adapter.description.isLocal, false);
      assert.ok(!JSON.stringify(adapter.description).includes(KEY));
    });
  });

  it(`the ${which} vendor may stand behind a gateway with a path`, async (t) => {
    const { script } = await set(t, which);
    const gateway = await set(t, which, { baseUrl: `${script.origin}/gate/` });
    const route = begins.replace(' /', ' /gate/');
    script.on(route, { body: begun });
    assert.equal((await gateway.begin()).state, 'queued');
  });
}

/** The places where the key shows after this answer to a begin and a look. */
async function saidOf(setting: Setting, task: VendorTask, answer: ScriptedAnswer): Promise<string[]> {
  const { begins, looks } = CASES[task.kind === 'video' ? 'video' : 'image'];
  setting.script.on(begins, answer);
  setting.script.on(looks, answer);
  const results = await Promise.allSettled([setting.begin(), setting.check()]);
  const said = results.map((result) =>
    result.status === 'fulfilled' ? JSON.stringify(result.value) : allOf(result.reason),
  );
  assert.equal(setting.script.requests.at(-1)?.headers.accept, 'application/json');
  return said.filter((text) => text.toLowerCase().includes(KEY.slice(0, 12).toLowerCase()));
}

function allOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack} ${JSON.stringify(error)} ${allOf(error.cause)}`;
}
