import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNodeInfo } from '@atelier/engine';
import { customProblems, missingFile } from '../test/custom-problems.ts';
import { assertSampled, mediaFixtures, putInput, videoFixture } from '../test/media-fixtures.ts';
import { nodeContext, runNode } from '../test/run-node.ts';
import type { Audio } from '../values/audio.ts';
import { loadAudio } from './load-audio.ts';

for (const { name, shape, rate, file, ...samples } of mediaFixtures.sounds) {
  test(`LoadAudio reads ${name} as PyAV does`, async () => {
    using context = nodeContext();
    putInput(context, name, file);
    const { outputs } = await runNode(loadAudio, { audio: name }, context);
    const { waveform, sampleRate } = outputs[0] as Audio;
    assert.deepEqual([waveform.batch, waveform.channels, waveform.samples, sampleRate], [1, ...shape, rate]);
    assert.equal(waveform.data.length, waveform.channels * waveform.samples);
    // Integers are exact; what is lossy is decoded in floating point.
    assertSampled(waveform.data, samples, /wav|flac/.test(name) ? 1e-7 : 1e-5);
  });
}

test('LoadAudio takes the sound of a video', async () => {
  using context = nodeContext();
  const { name, file, audio } = videoFixture('vp9.webm');
  const { outputs } = await runNode(loadAudio, { audio: putInput(context, name, file) }, context);
  assert.equal((outputs[0] as Audio).waveform.samples, audio?.shape[1]);
});

test('LoadAudio reads 8-bit samples around silence', async () => {
  using context = nodeContext();
  const header = Buffer.from(
    'RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x04\0\0\0',
    'latin1',
  );
  putInput(context, 'old.wav', Buffer.concat([header, Buffer.of(128, 255, 0, 192)]));
  const { outputs } = await runNode(loadAudio, { audio: 'old.wav' }, context);
  assert.deepEqual([...(outputs[0] as Audio).waveform.data], [0, 127 / 128, -1, 0.5]);
});

test('a file that breaks off is read up to there', async () => {
  using context = nodeContext();
  const fixture = mediaFixtures.sounds.find(({ name }) => name === 'lame.mp3');
  const whole = Buffer.from(fixture?.file ?? '', 'base64');
  putInput(context, 'short.mp3', whole.subarray(0, whole.length >> 1));
  const { outputs } = await runNode(loadAudio, { audio: 'short.mp3' }, context);
  const { samples } = (outputs[0] as Audio).waveform;
  assert.ok(samples > 0 && samples < 3000, `${samples} samples`);
});

test('LoadAudio says what is wrong with a file', async () => {
  using context = nodeContext();
  putInput(context, 'text.mp3', Buffer.from('This is not a sound. '.repeat(100)));
  putInput(context, 'empty.wav', Buffer.alloc(0));
  putInput(context, 'list.m3u8', Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n'));
  putInput(context, 'list.mp3', Buffer.from("ffconcat version 1.0\nfile 's16.wav'\n"));
  const silent = videoFixture('variable.mkv');
  putInput(context, silent.name, silent.file);
  for (const [audio, message] of [
    ['text.mp3', /text\.mp3 cannot be read/],
    ['empty.wav', /empty\.wav cannot be read/],
    ['list.m3u8', /list\.m3u8 cannot be read/],
    ['list.mp3', /list\.mp3 cannot be read/],
    ['variable.mkv', /no sound in variable\.mkv/],
    ['gone.wav', /no file gone\.wav/],
  ] as const) {
    await assert.rejects(runNode(loadAudio, { audio }, context), message);
  }
});

test('LoadAudio is checked and fingerprinted by its file', async () => {
  using context = nodeContext();
  const about = { files: context.files, types: {} };
  putInput(context, 'a.wav', Buffer.from('x'));
  assert.deepEqual(await customProblems(loadAudio, { audio: 'a.wav' }, context.files), []);
  for (const audio of ['b.wav', '../b.wav']) {
    const problems = await customProblems(loadAudio, { audio }, context.files);
    assert.deepEqual(problems, [missingFile('audio', 'audio', audio)]);
  }
  assert.match(
    String(await loadAudio.fingerprint?.({ audio: 'a.wav' }, about)),
    /^2d711642b726b04401627ca9fbac32f5/,
  );
});

test('LoadAudio offers sounds and videos of the input folder', async () => {
  using context = nodeContext();
  for (const name of ['b.MP3', 'a.wav', 'c.txt', 'clip.mp4', 'Z.flac'])
    putInput(context, name, Buffer.alloc(1));
  const { input } = await toNodeInfo(loadAudio, { module: '', files: context.files });
  assert.deepEqual(input.required?.['audio']?.[1]['options'], ['Z.flac', 'a.wav', 'b.MP3', 'clip.mp4']);
});
