import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pythonJson } from '@atelier/engine';
import { avGetCodecName } from 'node-av/lib';
import { openMedia } from '../av/open-media.ts';
import type { SavedFile } from '../files/save-path.ts';
import { nodeContext, runNode, type TestContext } from '../test/run-node.ts';
import { sines } from '../test/sounds.ts';
import type { Audio } from '../values/audio.ts';
import { loadAudio } from './load-audio.ts';
import { previewAudio, saveAudio, saveAudioAdvanced, saveAudioMp3, saveAudioOpus } from './save-audio.ts';

const hidden = {
  promptText: pythonJson({ 1: { class_type: 'SaveAudio', inputs: { text: 'dé' } } }),
  extraPngInfo: { workflow: { nodes: [1, 2.5] } },
};

async function load(context: TestContext, { filename, subfolder, type }: SavedFile): Promise<Audio> {
  mkdirSync(join(context.folder, 'input'), { recursive: true });
  copyFileSync(join(context.folder, type, subfolder, filename), join(context.folder, 'input', filename));
  return (await runNode(loadAudio, { audio: filename }, context)).outputs[0] as Audio;
}

function savedBy(result: Awaited<ReturnType<typeof runNode>>): readonly SavedFile[] {
  assert.deepEqual(Object.keys(result.ui ?? {}), ['audio']);
  return result.ui?.['audio'] as readonly SavedFile[];
}

test('SaveAudio keeps 16 bits of every sample and writes one file for each sound', async () => {
  using context = nodeContext({ hidden });
  const audio = sines({ batch: 3, channels: 2, samples: 5000 });
  const result = await runNode(saveAudio, { audio, filename_prefix: 'audio/ComfyUI' }, context);
  assert.equal(result.outputs[0], audio);
  const files = savedBy(result);
  assert.deepEqual(
    files,
    [1, 2, 3].map((n) => ({ filename: `ComfyUI_0000${n}.flac`, subfolder: 'audio', type: 'output' })),
  );
  assert.deepEqual(context.progressed, [
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
  for (const [item, file] of files.entries()) {
    const { waveform, sampleRate } = await load(context, file);
    assert.deepEqual([waveform.channels, waveform.samples, sampleRate], [2, 5000, 44100]);
    waveform.data.forEach((value, n) => {
      const wanted = audio.waveform.data[item * 10000 + n] ?? Number.NaN;
      assert.ok(Math.abs(value - wanted) <= 0.5 / 32768, `sample ${n}`);
    });
  }
});

test('samples are rounded to the even neighbor and clipped', async () => {
  using context = nodeContext();
  const steps = [0.5, 1.5, 2.5, -0.5, -1.5].map((step) => step / 32768);
  const data = Float32Array.from([...steps, 1, 2, -3, Number.NaN]);
  const audio = { waveform: { batch: 1, channels: 1, samples: data.length, data }, sampleRate: 8000 };
  const [file] = savedBy(await runNode(saveAudio, { audio, filename_prefix: 'x' }, context));
  assert.ok(file);
  const { waveform } = await load(context, file);
  assert.deepEqual(
    [...waveform.data].map((value) => value * 32768),
    [0, 2, 2, 0, -2, 32767, 32767, -32768, 0],
  );
});

const lossy = [
  { node: saveAudioMp3, quality: 'V0', codec: 'mp3' },
  { node: saveAudioMp3, quality: '128k', codec: 'mp3' },
  { node: saveAudioMp3, quality: '320k', codec: 'mp3' },
  { node: saveAudioOpus, quality: '64k', codec: 'opus' },
  { node: saveAudioOpus, quality: '320k', codec: 'opus' },
] as const;
for (const { node, quality, codec } of lossy) {
  test(`${node.type} with ${quality} gives a ${codec} file that sounds the same, with the graph in its tags`, async () => {
    using context = nodeContext({ hidden });
    const audio = sines({ samples: 48000, sampleRate: 48000 });
    const [file] = savedBy(await runNode(node, { audio, filename_prefix: 'a b', quality }, context));
    assert.equal(file?.filename, `a b_00001.${codec}`);
    const path = join(context.folder, 'output', file.filename);
    using media = openMedia(path, file.filename);
    const [stream] = media.streams;
    assert.equal(avGetCodecName(stream!.codecpar.codecId), codec);
    const tags = { ...media.format.metadata?.getAll(), ...stream!.metadata?.getAll() };
    assert.equal(tags['prompt'], '{"1": {"class_type": "SaveAudio", "inputs": {"text": "d\\u00e9"}}}');
    assert.equal(tags['workflow'], '{"nodes": [1, 2.5]}');
    const { waveform, sampleRate } = await load(context, file);
    assert.deepEqual([waveform.channels, waveform.samples, sampleRate], [2, 48000, 48000]);
    const wanted = audio.waveform.data;
    let error = 0;
    for (let n = 4800; n < 43200; n += 1)
      error = Math.max(error, Math.abs((waveform.data[n] ?? 9) - (wanted[n] ?? 0)));
    assert.ok(error < 0.06, `off by ${error}`);
  });
}

test('Opus takes the next rate it knows, MP3 mixes surround down', async () => {
  using context = nodeContext();
  for (const [from, to] of [
    [44100, 48000],
    [22050, 24000],
    [8000, 8000],
    [96000, 48000],
    [1000, 8000],
  ] as const) {
    const audio = sines({ channels: 1, samples: from / 10, sampleRate: from });
    const [file] = savedBy(
      await runNode(saveAudioOpus, { audio, filename_prefix: 'o', quality: '64k' }, context),
    );
    const path = join(context.folder, 'output', file!.filename);
    // The rate before encoding is in the header of the stream; decoders always give 48 kHz.
    assert.equal(readFileSync(path).readUInt32LE(40), to, `${from} Hz`);
  }
  const surround = sines({ channels: 6, samples: 9600, sampleRate: 96000 });
  const [mp3] = savedBy(
    await runNode(saveAudioMp3, { audio: surround, filename_prefix: 'm', quality: 'V0' }, context),
  );
  const { waveform, sampleRate } = await load(context, mp3!);
  assert.deepEqual([waveform.channels, waveform.samples, sampleRate], [2, 4800, 48000]);
});

for (const format of [
  { choice: 'flac' },
  { choice: 'mp3', quality: '320k' },
  { choice: 'opus', quality: '96k' },
]) {
  test(`SaveAudioAdvanced writes the same ${format.choice} for the same sound`, async () => {
    using context = nodeContext({ hidden });
    const audio = sines({ channels: 1, samples: 30000 });
    const hashes = [];
    for (let time = 0; time < 2; time += 1) {
      const [file] = savedBy(
        await runNode(saveAudioAdvanced, { audio, filename_prefix: 's', format }, context),
      );
      const path = join(context.folder, 'output', file!.filename);
      hashes.push(createHash('sha256').update(readFileSync(path)).digest('hex'));
    }
    assert.equal(hashes[0], hashes[1]);
  });
}

test('PreviewAudio writes to the temp folder under a name of its own', async () => {
  using context = nodeContext();
  const [file] = savedBy(await runNode(previewAudio, { audio: sines() }, context));
  assert.match(file!.filename, /^ComfyUI_temp_[a-z]{5}_00001\.flac$/);
  assert.equal(file!.type, 'temp');
});

test('an empty sound becomes an empty file', async () => {
  using context = nodeContext();
  const [file] = savedBy(
    await runNode(saveAudio, { audio: sines({ samples: 0 }), filename_prefix: 'e' }, context),
  );
  assert.ok(readFileSync(join(context.folder, 'output', file!.filename)).length > 0);
});

test('a missing sound and one that the format cannot hold are refused with a sentence', async () => {
  using context = nodeContext();
  for (const node of [saveAudio, previewAudio]) {
    await assert.rejects(runNode(node, { audio: null, filename_prefix: 'x' }, context), /no sound to save/);
  }
  const many = sines({ channels: 9, samples: 100 });
  await assert.rejects(
    runNode(saveAudio, { audio: many, filename_prefix: 'x' }, context),
    /cannot hold sound with 9/,
  );
});

test('saving stops when the job is cancelled', async () => {
  using context = nodeContext();
  context.cancel();
  const saving = runNode(saveAudio, { audio: sines({ samples: 500_000 }), filename_prefix: 'x' }, context);
  await assert.rejects(saving, { name: 'Interrupted' });
});
