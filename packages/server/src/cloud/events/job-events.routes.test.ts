import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { type EventServer, startEventServer } from './test/event-server.ts';
import { executes, isAt, previews, shows, starts, succeeds } from './test/job-story.ts';

const PENDING = { status: 'pending', events: [] } as const;
const RUNNING = { status: 'in_progress', events: [] } as const;
const END = { id: 'end', event: 'executing', data: { node: null, prompt_id: 'j' } };

interface Sent {
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

async function open(
  { url }: EventServer,
  headers: Record<string, string> = {},
  query = '',
): Promise<Response> {
  return await fetch(`${url}/api/jobs/j/events${query}`, { headers: { 'x-api-key': 'key-ada', ...headers } });
}

/** What a stream sends until it ends, or until so many. */
async function* sentBy(response: Response): AsyncGenerator<Sent> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = text
        .slice(0, end)
        .split('\n')
        .map((line) => line.split(/: (.*)/s) as [string, string]);
      text = text.slice(end + 2);
      const { id, event, data } = Object.fromEntries(fields);
      if (event) yield { ...(id && { id }), event, data: JSON.parse(data ?? '') as unknown };
    }
  }
}

async function all(response: Response): Promise<Sent[]> {
  return await Array.fromAsync(sentBy(response));
}

/** A job of ada's that runs, with three messages kept. */
function begin({ events, rows }: EventServer, attempt = 1) {
  rows.set('ada/j', RUNNING);
  const job = events.live.begin({ id: 'j', userId: 'ada', attempt });
  for (const event of [starts('j'), isAt('j', '1'), executes('j', '1'), shows('j', '1')]) job.tell(event);
  return job;
}

function finish(job: ReturnType<typeof begin>): void {
  job.tell(succeeds('j'));
  job.end();
}

const briefly = ({ id = '-', event }: Sent): string => `${id} ${event}`;

describe('the events of a job', () => {
  it('are the kept messages, the current progress, and then new messages up to the end marker', async () => {
    await using server = await startEventServer();
    const job = begin(server);
    const response = await open(server);
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    job.tell(previews('j', '1', Uint8Array.of(1)));
    server.events.publishStatus('ada', { waiting: 0, running: 1 });
    server.events.notify('ada', 'other', 'Of another job.');
    finish(job);
    const sent = await all(response);
    assert.deepEqual(sent.map(briefly), [
      '1-1 execution_start',
      '1-2 executing',
      '1-3 executed',
      '- progress_state',
      '- progress',
      '1-4 execution_success',
      'end executing',
    ]);
    assert.deepEqual(sent[2]?.data, shows('j', '1').data);
    assert.deepEqual(sent.at(-1), END);
  });

  it('continue after the last one that the reader has, given in a header or in the query', async () => {
    await using server = await startEventServer();
    const job = begin(server);
    const responses = [
      await open(server, { 'last-event-id': '1-2' }),
      await open(server, {}, '?last_event_id=1-2'),
    ];
    finish(job);
    for (const response of responses) {
      const kept = (await all(response)).filter(({ id }) => id !== undefined);
      assert.deepEqual(kept.map(briefly), ['1-3 executed', '1-4 execution_success', 'end executing']);
    }
  });

  it('start over with the current attempt when the reader knows an earlier one', async () => {
    await using server = await startEventServer();
    const job = begin(server, 2);
    const response = await open(server, { 'last-event-id': '1-2' });
    finish(job);
    const [first] = await all(response);
    assert.equal(first?.id, '2-1');
  });

  it('are read from the row of an ended job; a reader that has all of them gets nothing', async () => {
    await using server = await startEventServer();
    const events = [
      { id: '1-1', ...starts('j') },
      { id: '1-2', ...succeeds('j') },
    ];
    server.rows.set('ada/j', { status: 'completed', events });
    const ids = async (lastId?: string) =>
      (await all(await open(server, lastId === undefined ? {} : { 'last-event-id': lastId }))).map(
        ({ id }) => id,
      );
    assert.deepEqual(await ids(), ['1-1', '1-2', 'end']);
    assert.deepEqual(await ids('junk'), ['1-1', '1-2', 'end']);
    assert.deepEqual(await ids('1-1'), ['1-2', 'end']);
    for (const lastId of ['1-2', 'end']) {
      assert.equal((await open(server, { 'last-event-id': lastId })).status, 204);
    }
  });

  it('are delivered once a pending job starts', async () => {
    await using server = await startEventServer();
    server.rows.set('ada/j', PENDING);
    const response = await open(server);
    server.events.notify('ada', 'j', 'Waiting.');
    finish(begin(server));
    assert.deepEqual((await all(response)).map(briefly), [
      '- notification',
      '1-1 execution_start',
      '- progress_state',
      '1-2 executing',
      '1-3 executed',
      '1-4 execution_success',
      'end executing',
    ]);
  });

  it('are complete when the job starts and ends while its row is read', async () => {
    let server: EventServer | undefined;
    let isRun = false;
    const whileReading = () => {
      if (!server || isRun) return;
      isRun = true;
      const job = begin(server);
      server.rows.set('ada/j', { status: 'completed', events: job.keptWith(succeeds('j')) });
      finish(job);
    };
    server = await startEventServer({ whileReading });
    await using _closing = server;
    server.rows.set('ada/j', PENDING);
    const ids = (await all(await open(server))).map(({ id }) => id);
    assert.deepEqual(ids, ['1-1', '1-2', '1-3', '1-4', 'end']);
  });

  it('end when a waiting job is cancelled', async () => {
    await using server = await startEventServer();
    server.rows.set('ada/j', PENDING);
    const response = await open(server);
    const cancelled = { id: '0-1', type: 'execution_interrupted', data: { prompt_id: 'j' } };
    server.rows.set('ada/j', { status: 'cancelled', events: [cancelled] });
    server.events.tellEnd({ id: 'j', userId: 'ada' }, cancelled);
    assert.deepEqual((await all(response)).map(briefly), ['0-1 execution_interrupted', 'end executing']);
  });

  it('end once the row says so, even without a message', async () => {
    await using server = await startEventServer({ times: { tickMs: 10, commentMs: 20 } });
    server.rows.set('ada/j', RUNNING);
    const response = await open(server);
    server.rows.set('ada/j', { status: 'completed', events: [{ id: '1-1', ...succeeds('j') }] });
    assert.deepEqual((await all(response)).map(briefly), ['1-1 execution_success', 'end executing']);
  });
});

describe('a stream of events', () => {
  it('is refused without a credential, and for a job that is missing or of another user', async () => {
    await using server = await startEventServer();
    begin(server);
    assert.equal((await fetch(`${server.url}/api/jobs/j/events`)).status, 401);
    for (const response of [
      await open(server, { 'x-api-key': 'key-bob' }),
      await fetch(`${server.url}/api/jobs/unknown/events`, { headers: { 'x-api-key': 'key-ada' } }),
    ]) {
      assert.equal(response.status, 404);
      assert.equal(((await response.json()) as { code: string }).code, 'resource.not_found');
    }
  });

  it('counts with the sockets of its user while it is open', async () => {
    await using server = await startEventServer({ streamsPerUser: 2 });
    const job = begin(server);
    await server.connect();
    const first = await open(server);
    const refused = await open(server);
    assert.equal(refused.status, 429);
    assert.equal(((await refused.json()) as { code: string }).code, 'cloud.too_many_streams');
    finish(job);
    await all(first);
    server.rows.set('ada/j', PENDING);
    assert.equal((await open(server)).status, 200);
  });

  it('regularly shows that it is alive', async () => {
    await using server = await startEventServer({ times: { tickMs: 10, commentMs: 20 } });
    server.rows.set('ada/j', PENDING);
    const response = await open(server);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    assert.equal((await reader?.read())?.value, ':\n\n');
    await reader?.cancel();
  });

  it('ends when the server stops, and does not delay the stop', async () => {
    const server = await startEventServer();
    server.rows.set('ada/j', PENDING);
    const response = await open(server);
    const closing = server.events.close();
    // What still happens is not written behind the end.
    begin(server);
    await closing;
    await server.app.close();
    assert.deepEqual(await all(response), []);
  });

  it('ends when the key is revoked', async () => {
    await using server = await startEventServer({ times: { checkMs: 20 } });
    server.rows.set('ada/j', PENDING);
    const response = await open(server);
    server.keys.delete('key-ada');
    await assert.rejects(all(response));
  });

  it('is closed when its reader leaves too much unread', async () => {
    await using server = await startEventServer();
    const job = begin(server);
    const response = await open(server);
    const text = 'x'.repeat(100_000);
    for (let count = 0; count < 600; count += 1) {
      job.tell(shows('j', '1', text));
      await new Promise(setImmediate);
    }
    await assert.rejects(all(response));
  });
});
