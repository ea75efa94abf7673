/** Has videos made one after another, and reads how they stand at a steady rate, whether or not earlier reads were answered. */
import { setTimeout as wait } from 'node:timers/promises';

import { closeConnections, httpCall } from '../http-call.ts';
import { answer, inputOf } from '../in-process.ts';
import { percentile } from '../measure.ts';

/** Scenes that have little in common; the first is also the first that its thread renders. */
const PROMPTS = [
  'a calm sea at sunset, waves and gulls, a boat on the horizon',
  'snow falls on dark mountains under northern lights',
  'mountains above a lake at night, aurora and rain',
];
const READS_PER_SECOND = 50;

export interface MeasuredVideos {
  /** From before the create to the read that saw it finished; of the slowest. */
  readonly slowestMs: number;
  readonly readsP99Ms: number;
}

const { url, key } = await inputOf<{ readonly url: string; readonly key: string }>();
const readMs: number[] = [];

async function isFinished(taskId: string): Promise<boolean> {
  const sentAt = performance.now();
  const body = await httpCall(`${url}/proxy/videovendor/tasks/${taskId}/creations`, key);
  readMs.push(performance.now() - sentAt);
  const { state } = JSON.parse(body) as { state: string };
  if (state === 'failed') throw new Error(`a video failed: ${body}`);
  return state === 'success';
}

async function makeVideo(prompt: string): Promise<number> {
  const body = { model: 'clipq3-pro', prompt, duration: 5, resolution: '720p', audio: true, seed: 7 };
  const start = performance.now();
  const created = await httpCall(`${url}/proxy/videovendor/text2video`, key, JSON.stringify(body));
  const { task_id } = JSON.parse(created) as { task_id: string };
  const over = new AbortController();
  const reads: Promise<void>[] = [];
  for (let n = 1; !over.signal.aborted; n += 1) {
    reads.push(isFinished(task_id).then((is) => (is ? over.abort() : undefined)));
    await wait(Math.max(0, start + (n * 1000) / READS_PER_SECOND - performance.now()));
  }
  await Promise.all(reads);
  return performance.now() - start;
}

const times: number[] = [];
for (const prompt of PROMPTS) times.push(await makeVideo(prompt));
closeConnections();
answer({
  slowestMs: Math.max(...times),
  readsP99Ms: percentile(readMs, 99),
} satisfies MeasuredVideos);
