import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ENGINES, isLongRun, PATIENCE_MS, type RunningServer, startServer } from '@atelier/testing';

import { type ListedTask, newArtist, SKIN, VIDEO } from '../support/generation.ts';
import { client } from '../support/http-client.ts';
import { type OutsideVendors, startOutsideVendors } from '../support/outside-vendors.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import '../support/servers.ts';
import {
  CRASHED,
  checkCredits,
  checkMessages,
  GOOD,
  untilAllDelivered,
  untilAllEnded,
  wholeLedger,
} from '../support/task-accounts.ts';
import { until } from '../support/until.ts';
import { newPicture } from '../support/user-files.ts';

/** Pictures are asked for in every fourth round only: loading the renderer costs more than the rest of it. */
const PICTURE_ROUNDS = 4;
const ROUNDS = isLongRun ? 20 : 5;
const CREDITS = 1_000_000;
const SKIN_CREDITS = 3;
/** Enough that the ones of dead servers leave room, few enough that it ends. */
const UNDER_WAY = 60;

describe('a server that is killed in the middle of tasks and messages', { concurrency: true }, () => {
  for (const engine of ENGINES) {
    test(`[PRX-1] [PRX-51] [PRX-61] [PRX-62] [PRX-82] ends every task once, tells it in order and books it right, ${ROUNDS} times, on ${engine}`, {
      timeout: 4 * PATIENCE_MS,
    }, async () => {
      await using vendors = await startOutsideVendors();
      const receiver = await startReceiver();
      let server = await startServer({ engine, environment: settings(vendors, receiver) });
      const over = new AbortController();
      const telling = vendors.keepTelling(() => server.url, over.signal);
      try {
        const artist = await newArtist(server, CREDITS);
        const accepted = new Set<string>();
        for (let round = 0; round < ROUNDS; round += 1) {
          const [tasks, messages] = [accepted.size, receiver.received.length];
          const kinds = round % PICTURE_ROUNDS === 0 ? [aPicture, aVideo] : [aVideo, aVideo];
          const creating = kinds.map(
            async (wanted) => await createUntilGone(server, artist.key, { accepted, receiver, wanted }),
          );
          // At another moment of tasks and messages each time.
          await until('some tasks', () => accepted.size >= tasks + 4 + (round % 5));
          await until('some messages', () => receiver.received.length >= messages + ((round * 3) % 11));
          await server.stop('SIGKILL');
          await Promise.all(creating);
          server = await server.restart();
        }
        const api = client(server.url, { apiKey: artist.key });
        const tasks = await untilAllEnded(api);
        const ids = new Set(tasks.map(({ id }) => id));
        for (const id of accepted) assert.ok(ids.has(id), `${id} was accepted and is gone`);
        checkVendor(tasks, vendors);
        checkCredits(tasks, await wholeLedger(api), CREDITS);
        await untilAllDelivered(api);
        for (const task of tasks) checkMessages(task, receiver);
      } finally {
        over.abort();
        await telling;
        receiver.close();
        await server[Symbol.asyncDispose]();
      }
    });
  }
});

/** Videos are made outside, by a vendor who would make a second one of a second request; pictures here. */
function settings({ settings: outside, port }: OutsideVendors, receiver: Receiver): Record<string, string> {
  const { ATELIER_IMAGE_VENDOR_KEY: _, ...others } = outside;
  return {
    ...others,
    ATELIER_OUTBOUND_ALLOW: `127.0.0.1:${port},127.0.0.1:${receiver.port}`,
    ATELIER_TASKS_PER_USER: String(UNDER_WAY),
    ATELIER_SKIN_CREDITS: String(SKIN_CREDITS),
    ATELIER_RENDERERS: '1',
  };
}

type Wanted = (hook: string) => Promise<readonly [path: string, body: object]>;

const aPicture: Wanted = async (hook) => [
  `${SKIN}/faithful`,
  { image: (await newPicture(16, 12)).toString('base64'), webhook_url: hook },
];

const aVideo: Wanted = async (hook) => [
  `${VIDEO}/text2video`,
  {
    model: 'clipq3-pro',
    duration: 1,
    resolution: '540p',
    prompt: `a lake ${randomUUID()}`,
    callback_url: hook,
  },
];

interface Creating {
  readonly accepted: Set<string>;
  readonly receiver: Receiver;
  readonly wanted: Wanted;
}

/** Creates one task after another, and remembers those that were answered with 200. */
async function createUntilGone(server: RunningServer, key: string, { accepted, receiver, wanted }: Creating) {
  for (;;) {
    try {
      const [path, body] = await wanted(receiver.url('/hook'));
      const answer = await fetch(server.url + path, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const made = (await answer.json()) as { task_id?: string; data?: { task_id: string } };
      const id = made.task_id ?? made.data?.task_id;
      if (answer.status === 200 && id !== undefined) accepted.add(id);
      else assert.equal(answer.status, 429, JSON.stringify(made));
      await delay(20);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

/** No request reached the vendor twice, and what it made was not made up. */
function checkVendor(tasks: readonly ListedTask[], vendors: OutsideVendors): void {
  const creates = vendors.requests.filter(({ method }) => method === 'POST');
  const prompts = creates.map((request) => (request.json() as { prompt: string }).prompt);
  assert.equal(new Set(prompts).size, prompts.length, 'a request was sent twice');
  const videos = tasks.filter(({ kind }) => kind === 'video');
  assert.ok(creates.length <= videos.length);
  assert.ok(creates.length >= videos.filter(({ state }) => GOOD.has(state)).length);
  for (const { state, error, kind } of tasks) {
    if (GOOD.has(state)) assert.equal(error, undefined);
    else assert.ok(CRASHED.has(error?.code ?? ''), `${kind}: ${JSON.stringify(error)}`);
  }
  // How much of it goes well depends on the machine.
  assert.ok(tasks.some(({ state }) => GOOD.has(state)));
}
