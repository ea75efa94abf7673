import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runNode } from '../test/run-node.ts';
import { linesOf, sines, soundOf } from '../test/sounds.ts';
import type { Audio } from '../values/audio.ts';
import { audioConcat, audioMerge, joinAudioChannels, splitAudioChannels } from './audio-channels.ts';

test('SplitAudioChannels gives left and right, and joining them gives the sound again', async () => {
  const audio = sines({ batch: 2 });
  const { outputs } = await runNode(splitAudioChannels, { audio });
  const [left, right] = outputs as Audio[];
  assert.deepEqual(linesOf(left), [linesOf(audio)[0], linesOf(audio)[2]]);
  const joined = await runNode(joinAudioChannels, { audio_left: left, audio_right: right });
  assert.deepEqual(joined.outputs[0], audio);
});

test('SplitAudioChannels takes stereo only', async () => {
  await assert.rejects(runNode(splitAudioChannels, { audio: sines({ channels: 1 }) }), /has 1 channel\./);
  await assert.rejects(runNode(splitAudioChannels, { audio: sines({ channels: 6 }) }), /has 6 channels\./);
});

test('JoinAudioChannels cuts to the shorter one and wants mono', async () => {
  const joined = await runNode(joinAudioChannels, {
    audio_left: soundOf([[1, 2, 3]]),
    audio_right: soundOf([[4, 5]]),
  });
  assert.deepEqual(linesOf(joined.outputs[0]), [
    [1, 2],
    [4, 5],
  ]);
  const stereo = soundOf([[1], [1]]);
  await assert.rejects(
    runNode(joinAudioChannels, { audio_left: stereo, audio_right: soundOf([[1]]) }),
    /mono/,
  );
});

test('the lower rate is brought up to the higher', async () => {
  const { outputs } = await runNode(joinAudioChannels, {
    audio_left: sines({ channels: 1, samples: 800, sampleRate: 8000 }),
    audio_right: sines({ channels: 1, samples: 4410, sampleRate: 44100 }),
  });
  const { waveform, sampleRate } = outputs[0] as Audio;
  assert.equal(sampleRate, 44100);
  assert.equal(waveform.samples, 4410);
  const [left = [], right = []] = linesOf(outputs[0]);
  for (let n = 500; n < 3900; n += 1)
    assert.ok(Math.abs((left[n] ?? 0) - (right[n] ?? 0)) < 0.01, `sample ${n}`);
});

test('AudioConcat puts one after or before the other, mono on both sides', async () => {
  const audio1 = soundOf([[1, 2]]);
  const audio2 = soundOf([
    [3, 4],
    [5, 6],
  ]);
  const after = await runNode(audioConcat, { audio1, audio2, direction: 'after' });
  assert.deepEqual(linesOf(after.outputs[0]), [
    [1, 2, 3, 4],
    [1, 2, 5, 6],
  ]);
  const before = await runNode(audioConcat, { audio1, audio2, direction: 'before' });
  assert.deepEqual(linesOf(before.outputs[0]), [
    [3, 4, 1, 2],
    [5, 6, 1, 2],
  ]);
  const both = await runNode(audioConcat, { audio1, audio2: audio1, direction: 'after' });
  assert.equal(linesOf(both.outputs[0]).length, 2);
});

test('AudioConcat says why sounds do not fit', async () => {
  const stereo = soundOf([[1], [2]]);
  const surround = sines({ channels: 6, samples: 3, sampleRate: 10 });
  await assert.rejects(
    runNode(audioConcat, { audio1: stereo, audio2: surround, direction: 'after' }),
    /6 channels/,
  );
  const two = sines({ batch: 2, channels: 2, samples: 3, sampleRate: 10 });
  await assert.rejects(
    runNode(audioConcat, { audio1: stereo, audio2: two, direction: 'after' }),
    /as many sounds/,
  );
});

const merges = {
  add: [0.5, 0.75, 0.5],
  subtract: [0, -0.25, 0.5],
  multiply: [0.0625, 0.125, 0],
  mean: [0.25, 0.375, 0.25],
} as const;
for (const [merge_method, expected] of Object.entries(merges)) {
  test(`AudioMerge can ${merge_method}, with silence after the end of the second`, async () => {
    const audio1 = soundOf([[0.25, 0.25, 0.5]]);
    const audio2 = soundOf([[0.25, 0.5]]);
    const { outputs } = await runNode(audioMerge, { audio1, audio2, merge_method });
    assert.deepEqual(linesOf(outputs[0]), [[...expected]]);
  });
}

test('AudioMerge cuts a longer second sound and divides by a peak beyond 1', async () => {
  const audio1 = soundOf([[1, -0.5]]);
  const audio2 = soundOf([[1, 0.25, 9]]);
  const { outputs } = await runNode(audioMerge, { audio1, audio2, merge_method: 'add' });
  assert.deepEqual(linesOf(outputs[0]), [[1, -0.125]]);
});

test('AudioMerge repeats a mono sound, or a batch of one, over the other', async () => {
  const audio1 = soundOf([[0.25], [0.5]]);
  const three: Audio = {
    waveform: { batch: 3, channels: 1, samples: 1, data: Float32Array.of(0, 0.125, 0.25) },
    sampleRate: 10,
  };
  const { outputs } = await runNode(audioMerge, { audio1, audio2: three, merge_method: 'add' });
  assert.deepEqual(linesOf(outputs[0]).flat(), [0.25, 0.5, 0.375, 0.625, 0.5, 0.75]);
  await assert.rejects(
    runNode(audioMerge, { audio1, audio2: sines({ channels: 3, sampleRate: 10 }), merge_method: 'add' }),
    /do not fit: channels 2 and 3/,
  );
});

test('AudioMerge leaves the level alone when a sample is not a number', async () => {
  const audio1 = soundOf([[Number.NaN, 2]]);
  const { outputs } = await runNode(audioMerge, { audio1, audio2: soundOf([[0, 0]]), merge_method: 'add' });
  assert.deepEqual(linesOf(outputs[0]), [[Number.NaN, 2]]);
});

test('with one sound missing the other one passes through', async () => {
  const audio = soundOf([[1]]);
  for (const [node, a, b, rest] of [
    [joinAudioChannels, 'audio_left', 'audio_right', {}],
    [audioConcat, 'audio1', 'audio2', { direction: 'after' }],
    [audioMerge, 'audio1', 'audio2', { merge_method: 'add' }],
  ] as const) {
    assert.deepEqual((await runNode(node, { [a]: audio, [b]: null, ...rest })).outputs, [audio]);
    assert.deepEqual((await runNode(node, { [a]: null, [b]: audio, ...rest })).outputs, [audio]);
    assert.deepEqual((await runNode(node, { [a]: null, [b]: null, ...rest })).outputs, [null]);
  }
  assert.deepEqual((await runNode(splitAudioChannels, { audio: null })).outputs, [null, null]);
});
