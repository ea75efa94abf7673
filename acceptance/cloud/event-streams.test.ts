import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PATIENCE_MS } from '@atelier/testing';

import { newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { newPerson, tokenOf } from '../support/people.ts';
import { onAnyEngine } from '../support/servers.ts';
import { pictureWorkflow } from '../support/workflows.ts';

onAnyEngine('the stream of a job', (server) => {
  test('[JOB-37] the same comes as Server-Sent Events, and the stream goes on where it was left', async () => {
    const { api, key } = await newSubmitter(server.current);
    const { prompt_id } = await submit(api, pictureWorkflow());
    const stream = await readEvents(server.current.url, key, prompt_id);
    const kept = stream.filter(({ id }) => id !== undefined);
    assert.deepEqual(
      kept.map(({ event }) => event),
      [
        'execution_start',
        'execution_cached',
        'executing',
        'executing',
        'executed',
        'execution_success',
        'executing',
      ],
    );
    const again = await readEvents(server.current.url, key, prompt_id, kept[3]?.id);
    assert.deepEqual(
      again.filter(({ id }) => id !== undefined),
      kept.slice(4),
    );
    const stranger = await newSubmitter(server.current);
    assert.equal((await stranger.api.get(`/api/jobs/${prompt_id}/events`)).status, 404);
  });

  test('[JOB-37] the credential of this stream may stand in the query, for a browser can send no header', async () => {
    const { api, key } = await newSubmitter(server.current);
    const stranger = await newSubmitter(server.current);
    const { prompt_id } = await submit(api, pictureWorkflow());
    await untilStatus(api, prompt_id);
    const person = await newPerson(server.current);
    const ask = async (path: string, headers: Record<string, string> = {}): Promise<number> => {
      const answer = await fetch(`${server.current.url}/api/jobs/${prompt_id}${path}`, { headers });
      await answer.body?.cancel();
      return answer.status;
    };
    assert.equal(await ask(`/events?token=${key}`), 200);
    assert.equal(await ask(`/events?token=${key}&last_event_id=end`), 204);
    assert.equal(await ask(`/events?token=${stranger.key}`), 404);
    // A bearer token is one too, here of somebody who has no such job.
    assert.equal(await ask(`/events?token=${await tokenOf(server.current, person)}`), 404);
    for (const query of ['', '?token=', '?token=wrong', `?token=${key}&token=${key}`]) {
      assert.equal(await ask(`/events${query}`), 401, query);
    }
    // As with the socket, the query goes before headers.
    assert.equal(await ask('/events?token=wrong', { 'x-api-key': key }), 401);
    assert.equal(await ask('/events?token=', { 'x-api-key': key }), 200);
    assert.equal(await ask(`?token=${key}`), 401);
  });
});

interface StreamEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: string;
}

/** Reads a stream to its end. */
async function readEvents(url: string, key: string, jobId: string, lastId?: string): Promise<StreamEvent[]> {
  const answer = await fetch(`${url}/api/jobs/${jobId}/events`, {
    headers: { 'x-api-key': key, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
  const text = await answer.text();
  return text
    .split('\n\n')
    .map((block) =>
      Object.fromEntries(
        block
          .split('\n')
          .filter((line) => /^(?:id|event|data):/.test(line))
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]),
      ),
    )
    .filter((event): event is StreamEvent & Record<string, string> => 'event' in event);
}
