import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

import type { EngineValue } from '../engine-value.ts';
import type { EngineWork } from '../engine-work.ts';
import { inProcess } from '../in-process.ts';
import type { Bench, Load, Row, Sample } from '../row.ts';

const PHOTO_EDGE = 2048;
const DEADLINE_MS = 120_000;
/** One float picture of 4096 × 4096 with three channels. */
const FLOAT_IMAGE_MB = 192;

/** Graphs on the engine, against the floor of the same machine. */
export const rows: readonly Row[] = [
  pair('workflow-lanczos', 1 / 1.6, 'lanczos', 'lanczosBare'),
  pair('workflow-pointwise', 1 / 6, 'pointwise', 'pointwiseBare'),
  pair('workflow-two-at-once', 1.7, 'sideBySide', 'oneByOne'),
  value('workflow-small-job', 'ms', 3, 'small-job'),
  value('workflow-memory', 'MB', 4 * FLOAT_IMAGE_MB, 'memory'),
];

function pair(name: string, bar: number, ours: EngineWork['work'], bare: EngineWork['work']): Row {
  return {
    kind: 'ratio',
    name,
    bar,
    async prepare(bench) {
      const folder = await prepareFolder(bench);
      const load =
        (work: EngineWork['work']): Load =>
        async (seconds) =>
          await inProcess<Sample>('engine-work.ts', { work, seconds, folder }, { deadlineMs: DEADLINE_MS });
      return { ours: load(ours), bare: load(bare) };
    },
  };
}

function value(name: string, unit: 'ms' | 'MB', bar: number, what: EngineValue['what']): Row {
  return {
    kind: 'value',
    name,
    unit,
    bar,
    async measure(bench) {
      const folder = await prepareFolder(bench);
      const input: EngineValue = { what, folder };
      const answered = await inProcess<{ value: number }>('engine-value.ts', input, {
        deadlineMs: DEADLINE_MS,
      });
      return answered.value;
    },
  };
}

async function prepareFolder({ cleanUp }: Bench): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-bench-engine-'));
  cleanUp.defer(async () => await rm(folder, { recursive: true, force: true }));
  for (const name of ['input', 'output', 'temp']) await mkdir(join(folder, name));
  await sharp(photo(), { raw: { width: PHOTO_EDGE, height: PHOTO_EDGE, channels: 3 } })
    .jpeg({ quality: 90 })
    .toFile(join(folder, 'input', 'photo.jpg'));
  return folder;
}

/** Soft shapes with a little grain, which compress about as a photograph does. */
function photo(): Uint8Array {
  const pixels = new Uint8Array(PHOTO_EDGE * PHOTO_EDGE * 3);
  let state = 1;
  for (let y = 0, at = 0; y < PHOTO_EDGE; y += 1) {
    for (let x = 0; x < PHOTO_EDGE; x += 1) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const grain = (state >>> 24) / 16;
      for (let channel = 0; channel < 3; channel += 1, at += 1) {
        pixels[at] = 110 + 70 * Math.sin(x / (90 + channel * 30)) * Math.cos(y / (70 + channel * 20)) + grain;
      }
    }
  }
  return pixels;
}
