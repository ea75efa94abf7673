import { startServer } from '@atelier/testing';

import { inProcess } from './in-process.ts';
import type { Bench, Sample } from './row.ts';

const DEADLINE_MS = 400_000;

/** What the driver of videos is told. */
export interface VideosDrive {
  readonly url: string;
  readonly key: string;
  /** A video of each is made, one after another. */
  readonly prompts: readonly string[];
  /** Status reads a second, all the while. */
  readonly readsPerSecond: number;
}

export interface MeasuredVideos {
  /** From before the create to the read that saw it finished, for each prompt. */
  readonly videosMs: readonly number[];
  readonly reads: Sample;
}

/** Scenes that have little in common; the first is also the first that its thread renders. */
const PROMPTS = [
  'a calm sea at sunset, waves and gulls, a boat on the horizon',
  'snow falls on dark mountains under northern lights',
  'mountains above a lake at night, aurora and rain',
];

const measured = new WeakMap<Bench, Promise<MeasuredVideos>>();

/** On a server of its own with its usual settings; measured once for all rows. */
export async function measureVideos(bench: Bench): Promise<MeasuredVideos> {
  const known = measured.get(bench) ?? measureNow(bench);
  measured.set(bench, known);
  return await known;
}

async function measureNow({ engine, cleanUp }: Bench): Promise<MeasuredVideos> {
  const server = cleanUp.use(await startServer({ engine }));
  const drive: VideosDrive = {
    url: server.url,
    key: server.admin.api_key,
    prompts: PROMPTS,
    readsPerSecond: 50,
  };
  const answered = await inProcess<MeasuredVideos>('videos-drive.ts', drive, { deadlineMs: DEADLINE_MS });
  await server.stop();
  return answered;
}
