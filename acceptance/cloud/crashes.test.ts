import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENGINES, isLongRun, PATIENCE_MS, type RunningServer, startServer } from '@atelier/testing';
import sharp from 'sharp';

import { download, finish, newSubmitter, untilStatus } from '../support/cloud.ts';
import { client } from '../support/http-client.ts';
import '../support/servers.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

const ROUNDS = isLongRun ? 20 : 5;
const SUBMITTERS = 3;

describe('a server that is killed under load', () => {
  for (const engine of ENGINES) {
    test(`[JOB-1] [JOB-22] loses no job that it has accepted, ${ROUNDS} times, on ${engine}`, {
      timeout: 4 * PATIENCE_MS,
    }, async () => {
      let server = await startServer({ engine, environment: { ATELIER_RUNNERS: '2' } });
      try {
        const { key } = await newSubmitter(server, 'pro');
        const accepted = new Set<string>();
        /** How many were accepted before each kill. */
        const kills: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          // A job fails when it is lost three times, so no job may meet three kills.
          const api = client(server.url, { apiKey: key });
          const [from, to] = [kills.at(-3) ?? 0, kills.at(-2) ?? 0];
          for (const id of [...accepted].slice(from, to)) await untilStatus(api, id);
          const before = accepted.size;
          const submitting = Array.from(
            { length: SUBMITTERS },
            async () => await submitUntilGone(server, key, accepted),
          );
          await until('some jobs', () => accepted.size >= before + 5 + round);
          kills.push(accepted.size);
          await server.stop('SIGKILL');
          await Promise.all(submitting);
          server = await server.restart();
        }
        const api = client(server.url, { apiKey: key });
        for (const id of accepted) assert.equal(await untilStatus(api, id), 'completed');
      } finally {
        await server[Symbol.asyncDispose]();
      }
    });

    test(`[FIL-31] keeps outputs and previews of jobs that have ended, on ${engine}`, async () => {
      let server = await startServer({ engine });
      try {
        const { api, key } = await newSubmitter(server);
        const { outputs } = await finish(api, {
          1: { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 7 } },
          2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'kept' } },
          3: { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
        });
        await server.stop('SIGKILL');
        server = await server.restart();
        const again = client(server.url, { apiKey: key });
        const files = Object.values(outputs).flatMap(({ images = [] }) => images);
        assert.deepEqual(new Set(files.map(({ type }) => type)), new Set(['output', 'temp']));
        for (const file of files) {
          const { width, height } = await sharp(await download(again, file)).metadata();
          assert.deepEqual([width, height], [8, 8], file.type);
        }
      } finally {
        await server[Symbol.asyncDispose]();
      }
    });
  }
});

/** Submits one job after another, and remembers those that were answered with 200. */
async function submitUntilGone(server: RunningServer, key: string, accepted: Set<string>): Promise<void> {
  for (;;) {
    try {
      const answer = await fetch(`${server.url}/api/prompt`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt: textWorkflow() }),
      });
      const body = (await answer.json()) as { prompt_id: string };
      if (answer.status === 200) accepted.add(body.prompt_id);
      else await new Promise((resolve) => setTimeout(resolve, 20));
    } catch {
      return;
    }
  }
}
