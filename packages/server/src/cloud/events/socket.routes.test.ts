import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { type ClientOptions, WebSocket } from 'ws';

import {
  type Client,
  type EventServer,
  isOver,
  isType,
  type Message,
  startEventServer,
  typesOf,
  watch,
} from './test/event-server.ts';
import { executes, isAt, previews, shows, starts, succeeds } from './test/job-story.ts';

const FLAGS = JSON.stringify({ type: 'feature_flags', data: { supports_preview_metadata: true } });

/** How an upgrade is refused. */
async function refusal(
  { url }: EventServer,
  query: string,
  options: ClientOptions = {},
): Promise<{ status: number | undefined; body: Record<string, unknown> }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?${query}`, options);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  return { status: response.statusCode, body: await bodyOf(response) };
}

async function bodyOf(response: IncomingMessage): Promise<Record<string, unknown>> {
  return JSON.parse(Buffer.concat(await Array.fromAsync(response)).toString()) as Record<string, unknown>;
}

async function get(url: string, headers: Record<string, string> = {}, { method = 'GET', body = '' } = {}) {
  const request = httpRequest(url, { method, headers });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await bodyOf(response) };
}

/** Tells a job from its start to its end. */
function runJob({ events }: EventServer, userId: string, id: string): void {
  const job = events.live.begin({ id, userId, attempt: 1 });
  for (const event of [starts(id), isAt(id, '1'), executes(id, '1'), shows(id, '1'), succeeds(id)])
    job.tell(event);
  job.end();
}

async function welcomed(client: Client): Promise<Client> {
  await client.until(isType('status'));
  return client;
}

describe('who may open a WebSocket', () => {
  it('gets an error in the format of the cloud when the credential is missing, wrong or banned', async () => {
    await using server = await startEventServer();
    for (const [query, status, code] of [
      ['clientId=a', 401, 'auth.required'],
      ['token=', 401, 'auth.required'],
      ['token=wrong', 401, 'auth.invalid'],
      ['token=key-ada&token=key-bob', 401, 'auth.required'],
      ['token=key-banned', 403, 'auth.banned'],
    ] as const) {
      const answer = await refusal(server, query);
      assert.deepEqual([answer.status, answer.body['code']], [status, code], query);
    }
    assert.equal((await refusal(server, `token=key-ada&clientId=${'x'.repeat(300)}`)).status, 400);
  });

  it('may send a key in a header, and the session cookie only from this server’s own pages', async () => {
    await using server = await startEventServer();
    await welcomed(await server.connect('', { headers: { 'x-api-key': 'key-ada' } }));
    const cookie = 'session=key-ada';
    await welcomed(await server.connect('', { headers: { cookie, origin: server.url } }));
    for (const origin of ['https://elsewhere.example', undefined]) {
      const headers = { cookie, ...(origin && { origin }) };
      const answer = await refusal(server, '', { headers });
      assert.deepEqual([answer.status, answer.body['code']], [403, 'auth.origin']);
    }
  });

  it('gets an error that says what is wrong with an invalid handshake', async () => {
    await using server = await startEventServer();
    const ws = `${server.url}/ws?token=key-ada`;
    assert.deepEqual((await get(ws)).body['code'], 'request.invalid');
    assert.equal((await get(`${server.url}/ws`)).status, 401);
    const upgrade = { connection: 'upgrade', upgrade: 'websocket' };
    assert.equal((await get(ws, upgrade)).status, 400);
    const key = randomBytes(16).toString('base64');
    const headers = { ...upgrade, 'sec-websocket-key': key, 'sec-websocket-version': '7' };
    assert.equal((await get(ws, headers)).body['code'], 'request.invalid');
  });

  it('other requests that offer an upgrade are answered over HTTP', async () => {
    await using server = await startEventServer();
    for (const upgrade of ['h2c', 'websocket']) {
      const headers = { connection: 'upgrade', upgrade, 'content-type': 'application/json' };
      const answer = await get(`${server.url}/echo`, headers, { method: 'POST', body: '{"a":1}' });
      assert.deepEqual(answer, { status: 200, body: { a: 1 } });
    }
  });

  it('is limited in sockets per account, without affecting other accounts', async () => {
    await using server = await startEventServer({ streamsPerUser: 20 });
    const attempts = await Promise.allSettled(
      Array.from({ length: 1000 }, async () => {
        const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws?token=key-ada`);
        socket.on('error', () => undefined);
        const refused = once(socket, 'unexpected-response').then(async ([, response]) => {
          return await bodyOf(response as IncomingMessage);
        });
        return await Promise.race([once(socket, 'open').then(() => socket), refused]);
      }),
    );
    const outcomes = attempts.map((attempt) => (attempt.status === 'fulfilled' ? attempt.value : undefined));
    const open = outcomes.filter((outcome) => outcome instanceof WebSocket);
    const codes = new Set(outcomes.map((outcome) => (outcome instanceof WebSocket ? '' : outcome?.['code'])));
    assert.equal(open.length, 20);
    assert.deepEqual(codes, new Set(['', 'cloud.too_many_streams']));
    await welcomed(await server.connect('token=key-bob'));
    open[0]?.close();
    if (open[0]) await once(open[0], 'close');
    await welcomed(await server.connect());
  });

  it('leaves no trace of the token in the log', async () => {
    await using server = await startEventServer();
    await welcomed(await server.connect('token=key-ada&clientId=x'));
    await refusal(server, 'token=key-secret');
    assert.doesNotMatch(server.logged.join(''), /key-(ada|secret)/);
  });
});

describe('a WebSocket', () => {
  it('starts with the queue and its own name, then the state of running jobs, then new messages', async () => {
    await using server = await startEventServer();
    server.counts.set('ada', { waiting: 2, running: 1 });
    const job = server.events.live.begin({ id: 'j', userId: 'ada', attempt: 1 });
    for (const event of [starts('j'), isAt('j', '1'), executes('j', '1'), shows('j', '1')]) job.tell(event);
    const client = await server.connect('token=key-ada&clientId=me');
    await client.until(isType('progress_state'));
    job.tell(succeeds('j'));
    server.events.publishStatus('ada', { waiting: 2, running: 0 });
    server.events.notify('ada', 'k', 'Waiting.');
    job.end();
    await client.until(isOver);
    assert.deepEqual(typesOf(client), [
      'status',
      'execution_start',
      'executing',
      'progress_state',
      'execution_success',
      'status',
      'notification',
      'executing',
    ]);
    const [first, , , , , status, notification] = client.received as Message[];
    assert.deepEqual(first?.data, {
      status: { exec_info: { queue_remaining: 3 } },
      queue_remaining: 3,
      sid: 'me',
    });
    assert.deepEqual(status?.data, { status: { exec_info: { queue_remaining: 2 } }, queue_remaining: 2 });
    assert.deepEqual(notification?.data, { value: 'Waiting.', id: 'k', prompt_id: 'k' });
  });

  it('gets a name of its own when it has none, under /api too', async () => {
    await using server = await startEventServer();
    const client = watch(new WebSocket(`${server.url.replace('http', 'ws')}/api/ws?token=key-ada&clientId=`));
    await welcomed(client);
    const [first] = client.received as Message[];
    assert.match(String(first?.data['sid']), /^[0-9a-f]{32}$/);
  });

  it('gets every message that is sent while it opens, exactly once', async () => {
    let server: EventServer | undefined;
    const whileReading = () => server && runJob(server, 'ada', 'j');
    server = await startEventServer({ whileReading });
    await using _closing = server;
    const client = await server.connect();
    await client.until(isOver);
    assert.deepEqual(typesOf(client), [
      'status',
      'execution_start',
      'progress_state',
      'executing',
      'executed',
      'execution_success',
      'executing',
    ]);
  });

  it('gets everything about its user, like every other socket of that user, and nothing about others', async () => {
    await using server = await startEventServer();
    const clients = await Promise.all([server.connect(), server.connect(), server.connect('token=key-bob')]);
    await Promise.all(clients.map(welcomed));
    runJob(server, 'ada', 'of-ada');
    runJob(server, 'bob', 'of-bob');
    await Promise.all(clients.map(async (client) => await client.until(isOver)));
    const [first, second, stranger] = clients;
    assert.deepEqual(first?.received.slice(1), second?.received.slice(1));
    assert.doesNotMatch(JSON.stringify(first?.received), /of-bob/);
    assert.doesNotMatch(JSON.stringify(stranger?.received), /of-ada/);
  });

  it('loses nothing when an older socket with the same name closes later', async () => {
    await using server = await startEventServer();
    const old = await welcomed(await server.connect('token=key-ada&clientId=same'));
    const fresh = await welcomed(await server.connect('token=key-ada&clientId=same'));
    old.socket.close();
    await old.closed;
    runJob(server, 'ada', 'j');
    await fresh.until(isOver);
    assert.equal(fresh.received.some(isType('execution_success')), true);
  });

  it('gets pictures with metadata once it announces support, and plain ones otherwise', async () => {
    await using server = await startEventServer();
    const [plain, modern] = await Promise.all([server.connect(), server.connect()]);
    modern.socket.send(FLAGS);
    await Promise.all([welcomed(plain), modern.until(isType('feature_flags'))]);
    assert.deepEqual(modern.received.find(isType('feature_flags')), {
      type: 'feature_flags',
      data: { supports_preview_metadata: true },
    });
    const job = server.events.live.begin({ id: 'j', userId: 'ada', attempt: 1 });
    job.tell(previews('j', '1', Uint8Array.of(1, 2, 3)));
    job.tell({ type: 'text', data: { prompt_id: 'j', node_id: '1', text: 'hello' } });
    job.tell(succeeds('j'));
    await Promise.all([plain, modern].map(async (client) => await client.until(isType('execution_success'))));
    assert.deepEqual(typesOf(plain).slice(1), ['progress', 1, 3, 'execution_success']);
    assert.deepEqual(typesOf(modern).slice(2), [4, 'progress', 3, 'execution_success']);
  });

  it('reads feature flags from the first frame only, and ignores other frames', async () => {
    await using server = await startEventServer();
    const client = await welcomed(await server.connect());
    for (const junk of ['{', '[]', 'null', '{"type":"feature_flags"', randomBytes(10)])
      client.socket.send(junk);
    client.socket.send(FLAGS);
    client.socket.ping();
    await once(client.socket, 'pong');
    runJob(server, 'ada', 'j');
    await client.until(isOver);
    assert.equal(client.received.some(isType('feature_flags')), false);
  });
});

describe('a WebSocket is closed', () => {
  it('with 1009 when it sends a frame of 20 MB, and the server keeps running', async () => {
    await using server = await startEventServer();
    const client = await welcomed(await server.connect());
    client.socket.send(Buffer.alloc(20_000_000));
    assert.equal((await client.closed).code, 1009);
    await welcomed(await server.connect());
  });

  it('with 1008 when it sends a flood of frames', async () => {
    await using server = await startEventServer();
    const client = await welcomed(await server.connect());
    for (let count = 0; count < 1000; count += 1) client.socket.send('{}');
    assert.equal((await client.closed).code, 1008);
  });

  it('with 1001 when the server stops, even one that does not answer', async () => {
    const server = await startEventServer({ times: { graceMs: 20 } });
    const client = await welcomed(await server.connect());
    const deaf = await welcomed(await server.connect());
    deaf.socket.pause();
    await server.app.close();
    assert.equal((await client.closed).code, 1001);
  });

  it('when its key is revoked or its user is banned', async () => {
    await using server = await startEventServer({ times: { checkMs: 20 } });
    const client = await welcomed(await server.connect());
    const other = await welcomed(await server.connect('token=key-bob'));
    server.keys.delete('key-ada');
    assert.deepEqual(await client.closed, { code: 4001, reason: 'auth.invalid' });
    assert.equal(other.socket.readyState, WebSocket.OPEN);
    server.keys.set('key-bob', 'banned');
    assert.deepEqual(await other.closed, { code: 1008, reason: 'auth.banned' });
  });

  it('at once when a revocation is reported, long before the next check', async () => {
    await using server = await startEventServer({ times: { checkMs: 3_600_000 } });
    const client = await welcomed(await server.connect());
    const other = await welcomed(await server.connect('token=key-bob'));
    server.keys.clear();
    server.events.recheck('ada');
    assert.deepEqual(await client.closed, { code: 4001, reason: 'auth.invalid' });
    assert.equal(other.socket.readyState, WebSocket.OPEN);
  });

  it('even when its credential is revoked while it opens', async () => {
    await using server = await startEventServer({ times: { checkMs: 3_600_000 } });
    const known = new Map(server.keys);
    server.keys.get = (key) => {
      const userId = server.keys.has(key) ? known.get(key) : undefined;
      if (server.keys.delete(key)) server.events.recheck('ada');
      return userId;
    };
    const client = await server.connect();
    assert.equal((await client.closed).code, 4001);
  });

  it('soon when revocations on other servers cannot be heard', async () => {
    const times = { checkMs: 3_600_000, soonMs: 20 };
    await using server = await startEventServer({ times, hearsOthers: () => false });
    const client = await welcomed(await server.connect());
    server.keys.delete('key-ada');
    assert.equal((await client.closed).code, 4001);
  });

  it('when it does not answer a ping before the next one, and not when it does', async () => {
    await using server = await startEventServer({ times: { tickMs: 20, pingMs: 40 } });
    const dead = await welcomed(await server.connect('token=key-ada', { autoPong: false }));
    const alive = await welcomed(await server.connect());
    assert.equal((await dead.closed).code, 1006);
    assert.equal(alive.socket.readyState, WebSocket.OPEN);
  });
});

describe('a slow reader', () => {
  it('gets every kept message, fewer pictures, and the last state before the end', async () => {
    await using server = await startEventServer();
    const client = await welcomed(await server.connect());
    client.socket.pause();
    const job = server.events.live.begin({ id: 'j', userId: 'ada', attempt: 1 });
    job.tell(starts('j'));
    const picture = Uint8Array.from(randomBytes(100_000));
    for (let step = 1; step <= 200; step += 1) {
      job.tell(isAt('j', '1', { value: step, max: 200 }));
      job.tell(previews('j', '1', picture));
      if (step % 20 === 0) job.tell(shows('j', String(step)));
      await new Promise(setImmediate);
    }
    job.tell(succeeds('j'));
    job.end();
    client.socket.resume();
    await client.until(isOver);
    const types = typesOf(client);
    assert.equal(types.filter((type) => type === 'executed').length, 10);
    assert.ok(types.filter((type) => type === 1).length < 200);
    const end = types.indexOf('execution_success');
    const state = client.received[types.lastIndexOf('progress_state')] as Message;
    assert.ok(types.lastIndexOf('progress_state') < end);
    assert.match(JSON.stringify(state.data), /"value":200/);
  });

  it('is closed with 1013 when it leaves too much unread', async () => {
    await using server = await startEventServer();
    const client = await welcomed(await server.connect());
    client.socket.pause();
    const job = server.events.live.begin({ id: 'j', userId: 'ada', attempt: 1 });
    const text = 'x'.repeat(100_000);
    for (let count = 0; count < 400; count += 1) {
      job.tell(shows('j', '1', text));
      await new Promise(setImmediate);
    }
    client.socket.resume();
    assert.equal((await client.closed).code, 1013);
    assert.ok(client.received.length < 400);
  });
});
