import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runNode } from '../test/run-node.ts';
import { linesOf, sines, soundOf } from '../test/sounds.ts';
import type { Audio } from '../values/audio.ts';
import { audioAdjustVolume, audioEqualizer3Band, emptyAudio, trimAudioDuration } from './audio-edit.ts';

const flat = {
  low_gain_dB: 0,
  low_freq: 100,
  mid_gain_dB: 0,
  mid_freq: 1000,
  mid_q: 0.7,
  high_gain_dB: 0,
  high_freq: 5000,
};

test('EmptyAudio rounds halves to the even number of samples', async () => {
  for (const [duration, samples] of [
    [0.25, 2],
    [0.75, 8],
    [0, 0],
  ] as const) {
    const { outputs } = await runNode(emptyAudio, { duration, sample_rate: 10, channels: 2 });
    assert.equal((outputs[0] as Audio).waveform.samples, samples);
    assert.deepEqual(
      [...(outputs[0] as Audio).waveform.data],
      Array.from({ length: samples * 2 }, () => 0),
    );
  }
});

test('EmptyAudio refuses what is too long', async () => {
  await assert.rejects(runNode(emptyAudio, { duration: 1e19, sample_rate: 192000, channels: 2 }), /too long/);
});

const trims = [
  { start_index: 0, duration: 0.3, left: [0, 1, 2] },
  { start_index: -0.3, duration: 60, left: [7, 8, 9] },
  { start_index: 0.25, duration: 0.25, left: [2, 3] },
  { start_index: -99, duration: 0.1, left: [0] },
] as const;
for (const { start_index, duration, left } of trims) {
  test(`TrimAudioDuration takes ${duration} s from ${start_index} s on`, async () => {
    const line = Array.from({ length: 10 }, (_, n) => n);
    const audio = soundOf([line, line.map((value) => value + 100)]);
    const { outputs } = await runNode(trimAudioDuration, { audio, start_index, duration });
    assert.deepEqual(linesOf(outputs[0]), [[...left], left.map((value) => value + 100)]);
  });
}

test('TrimAudioDuration says when nothing is left', async () => {
  const audio = soundOf([[1, 2, 3]]);
  await assert.rejects(runNode(trimAudioDuration, { audio, start_index: 5, duration: 1 }), /Nothing is left/);
  await assert.rejects(runNode(trimAudioDuration, { audio, start_index: 0, duration: 0 }), /Nothing is left/);
});

test('a missing or empty sound passes through', async () => {
  const empty = soundOf([[]]);
  assert.deepEqual(
    (await runNode(trimAudioDuration, { audio: empty, start_index: 0, duration: 1 })).outputs,
    [empty],
  );
  assert.deepEqual((await runNode(trimAudioDuration, { audio: null, start_index: 0, duration: 1 })).outputs, [
    null,
  ]);
  assert.deepEqual((await runNode(audioAdjustVolume, { audio: null, volume: 3 })).outputs, [null]);
  assert.deepEqual((await runNode(audioEqualizer3Band, { audio: null, ...flat })).outputs, [null]);
});

test('AudioAdjustVolume multiplies by a float32 gain and does not clip', async () => {
  const audio = soundOf([[0.5, -0.25, 1]]);
  const { outputs } = await runNode(audioAdjustVolume, { audio, volume: 20 });
  assert.deepEqual(linesOf(outputs[0]), [[5, -2.5, 10]]);
  const gain = Math.fround(10 ** (6 / 20));
  const louder = await runNode(audioAdjustVolume, { audio, volume: 6 });
  assert.deepEqual(linesOf(louder.outputs[0]), [[0.5, -0.25, 1].map((value) => Math.fround(value * gain))]);
  assert.equal((await runNode(audioAdjustVolume, { audio, volume: 0 })).outputs[0], audio);
});

test('AudioEqualizer3Band leaves a sound alone when nothing is raised', async () => {
  const audio = sines({ batch: 2 });
  assert.equal((await runNode(audioEqualizer3Band, { audio, ...flat })).outputs[0], audio);
});

test('AudioEqualizer3Band raises the bass of every channel of every sound', async () => {
  const audio = sines({ batch: 3, channels: 2, samples: 8000, sampleRate: 8000 });
  const before = Float32Array.from(audio.waveform.data);
  const { outputs } = await runNode(audioEqualizer3Band, { audio, ...flat, low_gain_dB: 5, low_freq: 500 });
  const { waveform } = outputs[0] as Audio;
  assert.deepEqual(audio.waveform.data, before, 'the input stays as it was');
  assert.equal(waveform.batch, 3);
  const loudness = (data: Float32Array): number => Math.hypot(...data.subarray(4000, 8000));
  const ratio = loudness(waveform.data) / loudness(before);
  assert.ok(ratio > 1.5 && ratio < 10 ** (5 / 20), `220 Hz by ${ratio}`);
});

test('AudioEqualizer3Band stays within bounds and does not hang on what is not a number', async () => {
  const audio = soundOf([[Number.NaN, 1, Number.POSITIVE_INFINITY, 0]], 44100);
  const { outputs } = await runNode(audioEqualizer3Band, {
    audio,
    ...flat,
    high_gain_dB: 24,
    mid_gain_dB: -24,
  });
  assert.equal((outputs[0] as Audio).waveform.samples, 4);
  const loud = soundOf([[0.9, -0.9, 0.9, -0.9, 0.9]], 44100);
  const clipped = await runNode(audioEqualizer3Band, { audio: loud, ...flat, high_gain_dB: 24 });
  assert.ok(
    linesOf(clipped.outputs[0])
      .flat()
      .every((value) => Math.abs(value) <= 1),
  );
});
