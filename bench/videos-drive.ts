/** Has videos made one after another, and reads how they stand at a steady rate, whether or not earlier reads were answered. */
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import { httpCall } from './http-call.ts';
import { answer, inputOf } from './in-process.ts';
import type { MeasuredVideos, VideosDrive } from './measure-videos.ts';
import { toSample } from './sample.ts';

const MAX_MS = 120_000;

const { url, key, prompts, readsPerSecond } = await inputOf<VideosDrive>();
const agent = new Agent({ keepAlive: true });
const headers = { 'x-api-key': key };
const readMs: number[] = [];
const videosMs: number[] = [];

async function makeVideo(prompt: string): Promise<number> {
  const signal = AbortSignal.timeout(MAX_MS);
  const body = { model: 'clipq3-pro', prompt, duration: 5, resolution: '720p', audio: true, seed: 7 };
  const start = performance.now();
  const options = { agent, headers, signal };
  const created = await httpCall(
    `${url}/proxy/videovendor/text2video`,
    { ...options, method: 'POST' },
    Buffer.from(JSON.stringify(body)),
  );
  const { task_id } = JSON.parse(created) as { task_id: string };
  const isReady = async (): Promise<boolean> => {
    const sentAt = performance.now();
    const standing = await httpCall(`${url}/proxy/videovendor/tasks/${task_id}/creations`, options);
    readMs.push(performance.now() - sentAt);
    const { state } = JSON.parse(standing) as { state: string };
    if (state === 'failed') throw new Error(`the video of "${prompt}" failed: ${standing}`);
    return state === 'success';
  };
  await untilTrue(isReady, signal);
  return performance.now() - start;
}

/** Asks so many times a second. A question that fails ends the driver. */
async function untilTrue(ask: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const asked: Promise<void>[] = [];
  const begin = performance.now();
  for (let n = 1; !over.signal.aborted; n += 1) {
    asked.push(ask().then((isTrue) => (isTrue ? over.abort() : undefined)));
    await wait(Math.max(0, begin + (n * 1000) / readsPerSecond - performance.now()), undefined, { signal });
  }
  await Promise.all(asked);
}

const begin = performance.now();
for (const prompt of prompts) videosMs.push(await makeVideo(prompt));
agent.destroy();
const measured: MeasuredVideos = { videosMs, reads: toSample(readMs, performance.now() - begin) };
answer(measured);
