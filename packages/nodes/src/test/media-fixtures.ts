import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Audio } from '../values/audio.ts';
import type { TestContext } from './run-node.ts';

/** Some elements of an array: every `step`-th. */
interface Sampled {
  readonly step: number;
  readonly values: readonly number[];
}

export interface SoundFixture extends Sampled {
  readonly name: string;
  readonly shape: readonly [channels: number, samples: number];
  readonly rate: number;
  /** The file in Base64. */
  readonly file: string;
}

export interface VideoFixture {
  readonly name: string;
  readonly shape: readonly [frames: number, height: number, width: number];
  readonly fps: number;
  readonly bitDepth: number;
  readonly frames: Sampled;
  readonly audio?: Omit<SoundFixture, 'name' | 'file'>;
  readonly file: string;
}

/** Files that PyAV made, with what it reads from them; see `referee/media.py`. */
export const mediaFixtures = JSON.parse(
  readFileSync(new URL('../../test/fixtures/media.json', import.meta.url), 'utf8'),
) as { readonly videos: readonly VideoFixture[]; readonly sounds: readonly SoundFixture[] };

export function videoFixture(name: string): VideoFixture {
  const found = mediaFixtures.videos.find((fixture) => fixture.name === name);
  assert.ok(found, name);
  return found;
}

/** Puts a file into the input folder. */
export function putInput({ folder }: TestContext, name: string, content: string | Uint8Array): string {
  mkdirSync(join(folder, 'input'), { recursive: true });
  writeFileSync(
    join(folder, 'input', name),
    typeof content === 'string' ? Buffer.from(content, 'base64') : content,
  );
  return name;
}

/** PyAV keeps the padding of the last frame of AAC, which the file says is none of the sound. */
export function assertSound(
  { waveform, sampleRate }: Audio,
  { shape: [channels, samples], rate, step, values }: Omit<SoundFixture, 'name' | 'file'>,
  padding: number,
): void {
  assert.deepEqual([waveform.batch, waveform.channels, sampleRate], [1, channels, rate]);
  assert.ok(
    waveform.samples <= samples && waveform.samples >= samples - padding,
    `${waveform.samples} samples`,
  );
  values.forEach((expected, index) => {
    const at = index * step;
    if (at % samples >= waveform.samples) return;
    const actual = waveform.data[Math.floor(at / samples) * waveform.samples + (at % samples)] ?? Number.NaN;
    assert.ok(Math.abs(actual - expected) <= 1e-5, `sample ${at}: ${actual}, not ${expected}`);
  });
}

export function assertSampled(data: Float32Array, { step, values }: Sampled, tolerance: number): void {
  values.forEach((expected, index) => {
    const actual = data[index * step] ?? Number.NaN;
    assert.ok(
      Math.abs(actual - expected) <= tolerance,
      `element ${index * step}: ${actual}, not ${expected}`,
    );
  });
}
