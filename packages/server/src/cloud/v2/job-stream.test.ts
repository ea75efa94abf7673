import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';

import { createInProcessBus } from '../../platform/bus/in-process-bus.ts';
import { createLiveJobs } from '../events/live-jobs.ts';
import { endMarker } from '../events/messages.ts';
import type { UserEvent } from '../events/user-event.ts';
import { createJobStream } from './job-stream.ts';
import type { JobLook } from './jobs.service.ts';

const JOB = 'job';
const running: JobLook = { status: 'running', queuePosition: null, hasEnded: false, outputs: [] };
const succeeded: JobLook = { ...running, status: 'succeeded', hasEnded: true };

/** A stream over HTTP whose job is as the test says. */
async function open(
  work: (stream: ReturnType<typeof createJobStream>, set: (job: JobLook | undefined) => void) => void,
) {
  let job: JobLook | undefined = running;
  const errors: unknown[] = [];
  const bus = createInProcessBus<UserEvent>((error) => errors.push(error));
  const stream = createJobStream({
    jobId: JOB,
    live: createLiveJobs({ bus, clock: Date.now }),
    look: async () => job,
    progressReader: async () => undefined,
    onError: (error) => errors.push(error),
  });
  const server = createServer((_request, response) => {
    stream.open(response, running);
    work(stream, (next) => {
      job = next;
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return await answer.text();
  } finally {
    server.close();
    assert.deepEqual(errors, []);
  }
}

describe('the stream of a job in the Comfy API v2', () => {
  it('[API-19] sends comments regularly, and finds the end of a job without a message', async () => {
    const text = await open((stream, set) => {
      set(succeeded);
      stream.beat();
    });
    assert.match(
      text,
      /^event: status\ndata: {"status":"running".*\n\n:\n\nevent: status\ndata: {"status":"succeeded"/,
    );
  });

  it('sends the end once, however often it is heard', async () => {
    const text = await open((stream, set) => {
      set(succeeded);
      for (let n = 0; n < 5; n += 1) stream.hear(endMarker(JOB));
    });
    assert.equal(text.match(/succeeded/g)?.length, 1);
  });

  it('ends without a final status when the job is gone', async () => {
    const text = await open((stream, set) => {
      set(undefined);
      stream.hear(endMarker(JOB));
    });
    assert.equal(text.match(/event:/g)?.length, 1);
  });
});
