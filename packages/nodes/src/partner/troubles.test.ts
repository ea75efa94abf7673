import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Interrupted, NodeError } from '@atelier/engine';
import { nodeContext, runNode, type TestContext } from '../test/run-node.ts';
import type { Image } from '../values/image.ts';
import { skinEnhancer } from './skin-enhancer.ts';
import { gray, KEY, levelsOf, negativeOf } from './test/pictures.ts';
import {
  answer,
  hangUp,
  type Results,
  type ScriptedService,
  scriptedService,
} from './test/scripted-service.ts';
import { textToVideo } from './text-to-video.ts';

const SKIN = '/proxy/imagevendor/v1/ai/skin-enhancer';
const CREATE = `POST ${SKIN}/faithful`;
const INPUTS = {
  image: gray([200]),
  mode: { choice: 'faithful', skin_detail: 80 },
  sharpen: 0,
  smart_grain: 2,
};

async function made(context: TestContext): Promise<number[]> {
  return levelsOf((await runNode(skinEnhancer, INPUTS, context)).outputs[0] as Image);
}

/** Runs the skin enhancer, and gives its failure. The key is in nothing that anybody could read. */
async function failureOf(context: TestContext): Promise<NodeError> {
  try {
    await runNode(skinEnhancer, INPUTS, context);
  } catch (error) {
    assert.ok(error instanceof NodeError, String(error));
    const readable = [error.message, error.stack, JSON.stringify(error.cause ?? ''), ...context.texts];
    assert.equal(readable.join('\n').includes(KEY), false);
    return error;
  }
  return assert.fail('it did not fail');
}

async function given(
  results?: Results,
): Promise<AsyncDisposable & { service: ScriptedService; context: TestContext }> {
  const service = await scriptedService({ picture: negativeOf, ...results });
  const context = nodeContext({ hidden: { apiKey: KEY } });
  return {
    service,
    context,
    async [Symbol.asyncDispose]() {
      context[Symbol.dispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

describe('a create whose answer is lost is sent again as it was, and buys once', () => {
  for (const [how, trick] of [
    ['the line is cut', hangUp],
    [
      'the answer breaks off',
      (response: Parameters<typeof hangUp>[0]) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '200' });
        response.write('{"data":');
        setImmediate(() => response.destroy());
        return true;
      },
    ],
    ['a gateway gives up', (response: Parameters<typeof hangUp>[0]) => answer(response, 504, {})],
  ] as const) {
    test(how, async () => {
      await using at = await given();
      at.service.next(CREATE, (_request, response) => trick(response));
      assert.deepEqual(await made(at.context), [55]);
      const [first, second, ...more] = at.service.to(CREATE);
      assert.ok(first && second && more.length === 0);
      assert.equal(second.headers['idempotency-key'], first.headers['idempotency-key']);
      assert.deepEqual(second.bytes, first.bytes);
      assert.equal(at.service.tasks.length, 1);
    });
  }
});

test('the same work of a job has the same key whenever it runs, and other work has another', async () => {
  await using at = await given();
  const keyOf = async (context: TestContext, inputs: object): Promise<unknown> => {
    await runNode(skinEnhancer, { ...INPUTS, ...inputs }, context);
    return at.service.to(CREATE).at(-1)?.headers['idempotency-key'];
  };
  const hidden = { apiKey: KEY };
  using again = nodeContext({ hidden });
  using elsewhere = nodeContext({ hidden, nodeId: '2' });
  const first = await keyOf(at.context, {});
  assert.equal(await keyOf(again, {}), first);
  const others = [
    // The second item of a list, though it is the same.
    await keyOf(at.context, {}),
    await keyOf(elsewhere, {}),
    await keyOf(nodeContext({ hidden }), { sharpen: 1 }),
    await keyOf(nodeContext({ hidden }), { image: gray([201]) }),
  ];
  assert.equal(new Set([first, ...others]).size, 5);
});

test('where there is no room the create waits, with the same key, and says so', async () => {
  await using at = await given();
  const crowded = { error: 'too_many', message: 'Five are under way.' };
  at.service.next(CREATE, (_request, response) => answer(response, 429, crowded, { 'retry-after': '1' }));
  assert.deepEqual(await made(at.context), [55]);
  assert.equal(new Set(at.service.to(CREATE).map(({ headers }) => headers['idempotency-key'])).size, 1);
  assert.match(at.context.texts[0] ?? '', /^Status: too many at once, trying again in 1 s\n/);
});

describe('a refusal is told in the words of the server, and nothing is sent again', () => {
  for (const [status, body, type, sentence] of [
    [
      400,
      { error: 'invalid', message: 'sharpen must be at most 100.' },
      'ValueError',
      /^sharpen must be at most 100\.$/,
    ],
    [
      400,
      { message: 'Invalid request.', details: ['duration is 1 to 16', 'seed is not negative.'] },
      'ValueError',
      /^Invalid request: duration is 1 to 16; seed is not negative\.$/,
    ],
    [
      401,
      { error: 'unauthorized', message: 'The key was revoked.' },
      'PermissionError',
      /key .* is not valid.* The key was revoked\./,
    ],
    [
      402,
      { details: ['credits.insufficient'], message: 'It costs 80, you have 3.' },
      'InsufficientCredits',
      /add credits.* It costs 80, you have 3\.$/,
    ],
    [403, { error: 'banned', message: 'The account is banned.' }, 'PermissionError', /may not.*banned\./],
    [409, { error: 'conflict', message: 'Used for another request.' }, 'ValueError', /^Used for another/],
    [500, { error: 'internal', message: 'Look for id 7.' }, 'RuntimeError', /^Look for id 7\.$/],
    [500, 'no object', 'RuntimeError', /^The server answered 500/],
    [301, {}, 'ValueError', /^The server answered 301\.$/],
  ] as const) {
    test(`${status} ${JSON.stringify(body)}`, async () => {
      await using at = await given();
      at.service.next(CREATE, (_request, response) => answer(response, status, body));
      const error = await failureOf(at.context);
      assert.equal(error.exceptionType, type);
      assert.match(error.message, sentence);
      assert.equal(at.service.requests.length, 1);
    });
  }
});

test('a wait that would be longer than the node has is not a wait', async () => {
  await using at = await given();
  const crowded = { error: 'too_many', message: 'Come back tomorrow.' };
  at.service.next(CREATE, (_request, response) => answer(response, 429, crowded, { 'retry-after': '86400' }));
  const error = await failureOf(at.context);
  assert.equal(error.exceptionType, 'TooManyRequests');
  assert.match(error.message, /Come back tomorrow\.$/);
});

describe('what is in the way for a moment costs nothing', () => {
  for (const [what, start] of [
    ['a look that is not answered', `GET ${SKIN}/`],
    ['a result that breaks off', 'GET /results/'],
  ] as const) {
    test(what, async () => {
      await using at = await given();
      at.service.next(start, (_request, response) => hangUp(response));
      assert.deepEqual(await made(at.context), [55]);
    });
  }

  test('a look at a server that is busy', async () => {
    await using at = await given();
    at.service.next(`GET ${SKIN}/`, (_request, response) => answer(response, 503, {}));
    assert.deepEqual(await made(at.context), [55]);
  });

  test('a link that has ended: the next look gives a fresh one', async () => {
    await using at = await given();
    at.service.next('GET /results/', (_request, response) => answer(response, 403, {}));
    assert.deepEqual(await made(at.context), [55]);
    assert.equal(at.service.to(`GET ${SKIN}/`).length, 2);
  });
});

describe('a task that failed is told with its reason', () => {
  const video = { id: 'x', state: 'failed', creations: [] };
  for (const [what, body, reason] of [
    ['a word', { ...video, err_code: 'AuditSubmitIllegal' }, ': AuditSubmitIllegal'],
    [
      'a sentence',
      { ...video, err_code: 'x', err_msg: 'The prompt is not allowed.' },
      ': The prompt is not allowed',
    ],
    ['nothing', { ...video, err_code: '' }, ''],
  ] as const) {
    test(what, async () => {
      await using at = await given();
      at.service.next('GET /proxy/videovendor/', (_request, response) => answer(response, 200, body));
      await assert.rejects(runNode(textToVideo, { model: 'clipq1', prompt: 'x' }, at.context), {
        name: 'TaskFailed',
        message: `The generation failed${reason}. Its credits were given back.`,
      });
    });
  }
});

test('a task that nobody knows any more ends the node', async () => {
  await using at = await given();
  at.service.next(`GET ${SKIN}/`, (_request, response) => answer(response, 404, {}));
  assert.equal((await failureOf(at.context)).exceptionType, 'NotFound');
});

describe('answers of another form are told as such', () => {
  const task = { task_id: 'a', status: 'CREATED' };
  for (const [start, body] of [
    [CREATE, 'text'],
    [CREATE, null],
    [CREATE, { data: {} }],
    [CREATE, { data: { ...task, task_id: '../../admin' } }],
    [CREATE, { data: { ...task, status: 7 } }],
    [CREATE, { data: { ...task, generated: 'x'.repeat(9 * 2 ** 20) } }],
    [`GET ${SKIN}/`, {}],
    [`GET ${SKIN}/`, { data: { ...task, status: 'COMPLETED', generated: [] } }],
    [`GET ${SKIN}/`, { data: { ...task, status: 'COMPLETED', generated: [{ url: 'x' }] } }],
    [`GET ${SKIN}/`, { data: { ...task, status: 'COMPLETED', generated: ['file:///etc/passwd'] } }],
  ] as const) {
    test(`${start} ${JSON.stringify(body).slice(0, 80)}`, async () => {
      await using at = await given();
      at.service.next(start, (_request, response) => answer(response, 200, body));
      assert.match((await failureOf(at.context)).message, /in a form that this node does not know/);
      assert.equal(at.service.to(CREATE).length, 1);
    });
  }
});

describe('a cancelled job stops at once', () => {
  for (const [when, start] of [
    ['at the create', CREATE],
    ['between two looks', `GET ${SKIN}/`],
    ['while the result comes', 'GET /results/'],
  ] as const) {
    test(when, async () => {
      await using at = await given({ progress: [1] });
      at.service.next(start, (_request, response) => {
        // A look is answered, so that the next pause is what ends; the others never are.
        if (start.includes(SKIN) && start.startsWith('GET')) {
          setImmediate(at.context.cancel);
          return answer(response, 200, { data: { task_id: 'task-1', status: 'IN_PROGRESS', generated: [] } });
        }
        at.context.cancel();
        return true;
      });
      await assert.rejects(runNode(skinEnhancer, INPUTS, at.context), Interrupted);
      const before = at.service.requests.length;
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(at.service.requests.length, before);
    });
  }
});

describe('the key is nobody else’s to read', () => {
  test('a server that repeats it is not repeated', async () => {
    await using at = await given();
    const body = { error: KEY, message: `Unknown key ${KEY}.` };
    at.service.next(CREATE, (_request, response) => answer(response, 401, body));
    assert.match((await failureOf(at.context)).message, /Unknown key \[REDACTED\]\.$/);
  });

  test('a failed task that repeats it is not repeated', async () => {
    await using at = await given();
    const failed = { data: { task_id: 'a', status: 'FAILED', message: `For ${KEY}` } };
    at.service.next(`GET ${SKIN}/`, (_request, response) => answer(response, 200, failed));
    assert.match((await failureOf(at.context)).message, /For \[REDACTED\]/);
  });

  test('results are fetched without it', async () => {
    await using at = await given();
    await made(at.context);
    const [download] = at.service.to('GET /results/');
    assert.ok(download);
    assert.equal(JSON.stringify(download.headers).includes(KEY), false);
  });

  for (const apiKey of [undefined, '', 'with a\nbreak', 'ключ']) {
    test(`without a key that can be sent (${JSON.stringify(apiKey)}) nothing is`, async () => {
      await using service = await scriptedService();
      using context = nodeContext({ hidden: apiKey === undefined ? {} : { apiKey } });
      const error = await failureOf(context);
      assert.equal(error.exceptionType, 'PermissionError');
      assert.match(error.message, /extra_data\.api_key_platform_org/);
      assert.deepEqual(service.requests, []);
    });
  }
});
