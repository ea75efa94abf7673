import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pythonJson } from '@atelier/engine';
import type { AVPixelFormat } from 'node-av/constants';
import { avGetCodecName, avGetPixFmtName } from 'node-av/lib';
import { openMedia } from '../av/open-media.ts';
import type { SavedFile } from '../files/save-path.ts';
import { componentsOf, distance, gradients, loadSaved, makeVideo } from '../test/clips.ts';
import { nodeContext, runNode, type TestContext } from '../test/run-node.ts';
import { sines } from '../test/sounds.ts';
import type { Image } from '../values/image.ts';
import { saveVideo, saveWebm } from './save-video.ts';

const hidden = {
  promptText: pythonJson({ 1: { class_type: 'SaveVideo', inputs: { text: 'dé' } } }),
  extraPngInfo: { workflow: { nodes: [1, 2.5] } },
};

function savedBy(result: Awaited<ReturnType<typeof runNode>>): SavedFile {
  const { images = [], animated } = result.ui ?? {};
  assert.deepEqual(animated, [true]);
  assert.equal(images.length, 1);
  return images[0] as SavedFile;
}

interface Probe {
  readonly container: string;
  readonly seconds: number;
  readonly video: string;
  readonly audio: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

async function probe({ filename, subfolder }: SavedFile, context: TestContext): Promise<Probe> {
  using media = openMedia(join(context.folder, 'output', subfolder, filename), filename);
  const [video, audio] = media.streams.map(({ codecpar }) => codecpar);
  assert.ok(video);
  const tags = Object.entries(media.format.metadata?.getAll() ?? {}).map(([key, value]) => [
    key.toLowerCase(),
    value,
  ]);
  return {
    container: media.format.iformat?.name ?? '',
    seconds: Number(media.format.duration) / 1e6,
    video: `${avGetCodecName(video.codecId)} ${avGetPixFmtName(video.format as AVPixelFormat)}`,
    audio: audio && `${avGetCodecName(audio.codecId)} ${audio.sampleRate} ${audio.channels}`,
    tags: Object.fromEntries(tags) as Record<string, string>,
  };
}

async function saveAs(video: unknown, inputs: object, context: TestContext): Promise<SavedFile> {
  return savedBy(await runNode(saveVideo, { video, filename_prefix: 'video/ComfyUI', ...inputs }, context));
}

const ways = [
  { format: { choice: 'auto' }, ending: 'mp4', container: /mp4/, video: 'h264', audio: 'aac 44100 2' },
  {
    format: { choice: 'mp4', codec: { choice: 'h264' } },
    ending: 'mp4',
    container: /mp4/,
    video: 'h264',
    audio: 'aac 44100 2',
  },
  {
    format: { choice: 'mkv', codec: { choice: 'auto' } },
    ending: 'mkv',
    container: /matroska/,
    video: 'h264',
    audio: 'aac 44100 2',
  },
  { format: { choice: 'webm' }, ending: 'webm', container: /webm/, video: 'av1', audio: 'opus 48000 2' },
  {
    format: { choice: 'auto', codec: { choice: 'av1' } },
    ending: 'webm',
    container: /webm/,
    video: 'av1',
    audio: 'opus 48000 2',
  },
  {
    format: { choice: 'mp4', codec: { choice: 'av1' } },
    ending: 'mp4',
    container: /mp4/,
    video: 'av1',
    audio: 'aac 44100 2',
  },
] as const;
for (const { format, ending, container, video: codec, audio: sound } of ways) {
  const codecName = 'codec' in format ? format.codec.choice : 'none';
  for (const bit_depth of [8, 10] as const) {
    test(`SaveVideo ${format.choice} with codec ${codecName} and ${bit_depth} bits comes back the same`, async () => {
      using context = nodeContext({ hidden });
      const images = gradients({ frames: 12 });
      const video = await makeVideo({ images, audio: sines({ samples: 44100 }), bit_depth }, context);
      const file = await saveAs(video, { format }, context);
      assert.deepEqual(file, { filename: `ComfyUI_00001_.${ending}`, subfolder: 'video', type: 'output' });
      assert.deepEqual(context.progressed.at(-1), [12, 12]);
      const facts = await probe(file, context);
      assert.match(facts.container, container);
      assert.equal(facts.video, `${codec} yuv420p${bit_depth === 10 ? '10le' : ''}`);
      assert.equal(facts.audio, sound);
      assert.ok(Math.abs(facts.seconds - 0.5) < 0.025, `${facts.seconds} s`);
      assert.equal(
        facts.tags['prompt'],
        '{"1": {"class_type": "SaveVideo", "inputs": {"text": "d\\u00e9"}}}',
      );
      assert.equal(facts.tags['workflow'], '{"nodes": [1, 2.5]}');
      const again = await componentsOf(await loadSaved(file, context), context);
      assert.deepEqual([again.images.batch, again.images.height, again.images.width], [12, 48, 64]);
      assert.deepEqual([again.fps, again.bitDepth, again.colorSpace], [24, bit_depth, 'sRGB']);
      const { most, mean } = distance(again.images, images);
      assert.ok(most < 0.1 && mean < 0.012, `off by ${most}, on average ${mean}`);
      const { waveform, sampleRate } = again.audio ?? assert.fail('no sound');
      // Cut to the video, but for what fills the last packet of a file that cannot say where the sound ends.
      assert.ok(Math.abs(waveform.samples / sampleRate - 0.5) < 0.024, `${waveform.samples} samples`);
    });
  }
}

test('a video without sound has one stream, and its sound is null', async () => {
  using context = nodeContext();
  const file = await saveAs(
    await makeVideo({ images: gradients() }, context),
    { format: { choice: 'mp4' } },
    context,
  );
  const facts = await probe(file, context);
  assert.equal(facts.audio, undefined);
  assert.equal(facts.tags['prompt'], undefined);
  assert.equal((await componentsOf(await loadSaved(file, context), context)).audio, null);
});

test('older graphs give the codec beside the format', async () => {
  using context = nodeContext();
  const video = await makeVideo({ images: gradients() }, context);
  const file = await saveAs(video, { format: { choice: 'auto' }, codec: { choice: 'av1' } }, context);
  assert.equal(file.filename, 'ComfyUI_00001_.webm');
  const wrong = saveAs(video, { format: { choice: 'webm' }, codec: { choice: 'h264' } }, context);
  await assert.rejects(wrong, /WebM holds AV1/);
});

test('a lower crf gives a better and larger file', async () => {
  using context = nodeContext();
  const images = gradients();
  const video = await makeVideo({ images }, context);
  const at = async (crf: number): Promise<{ bytes: number; mean: number }> => {
    const codec = { choice: 'h264', encoding: { choice: 're-encode', crf } };
    const file = await saveAs(video, { format: { choice: 'mp4', codec } }, context);
    const bytes = readFileSync(join(context.folder, 'output', file.subfolder, file.filename)).length;
    return {
      bytes,
      mean: distance((await componentsOf(await loadSaved(file, context), context)).images, images).mean,
    };
  };
  const [good, bad] = [await at(5), await at(45)];
  assert.ok(good.bytes > bad.bytes && good.mean < bad.mean, JSON.stringify({ good, bad }));
});

test('plain colors come back as they were', async () => {
  using context = nodeContext();
  const colors = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 1],
    [0, 0, 0],
    [0.5, 0.25, 0.75],
  ] as const;
  const data = Float32Array.from(
    colors.flatMap((color) => Array.from({ length: 32 * 32 }, () => color).flat()),
  );
  const images: Image = { batch: colors.length, height: 32, width: 32, channels: 3, data };
  for (const bit_depth of [8, 10]) {
    const video = await makeVideo({ images, bit_depth }, context);
    const file = await saveAs(video, { format: { choice: 'mp4' } }, context);
    const { most } = distance((await componentsOf(await loadSaved(file, context), context)).images, images);
    assert.ok(most < 0.025, `${bit_depth} bits: off by ${most}`);
  }
});

for (const [codec, ending] of [
  ['h264', 'mp4'],
  ['av1', 'webm'],
] as const) {
  test(`the same video gives the same ${codec} bytes`, async () => {
    using context = nodeContext({ hidden });
    const video = await makeVideo(
      { images: gradients({ frames: 20 }), audio: sines({ samples: 20000 }) },
      context,
    );
    const hashes = [];
    for (let time = 0; time < 2; time += 1) {
      const { subfolder, filename } = await saveAs(
        video,
        { format: { choice: ending, codec: { choice: codec } } },
        context,
      );
      hashes.push(
        createHash('sha256')
          .update(readFileSync(join(context.folder, 'output', subfolder, filename)))
          .digest('hex'),
      );
    }
    assert.equal(hashes[0], hashes[1]);
  });
}

test('the rate is kept to a thousandth', async () => {
  using context = nodeContext();
  const video = await makeVideo({ images: gradients(), fps: 29.97 }, context);
  const file = await saveAs(video, { format: { choice: 'mp4' } }, context);
  assert.equal((await componentsOf(await loadSaved(file, context), context)).fps, 29.97);
});

test('sizes that a codec cannot store are refused with a sentence', async () => {
  using context = nodeContext();
  const odd = await makeVideo({ images: gradients({ width: 33, height: 20 }) }, context);
  await assert.rejects(saveAs(odd, { format: { choice: 'mp4' } }, context), /even width and height.*33×20/);
  const small = await makeVideo({ images: gradients({ width: 16, height: 16 }) }, context);
  await assert.rejects(saveAs(small, { format: { choice: 'webm' } }, context), /at least 32×32/);
  const one = await makeVideo({ images: gradients({ frames: 1, width: 2, height: 2 }) }, context);
  const file = await saveAs(one, { format: { choice: 'mp4' } }, context);
  assert.equal((await componentsOf(await loadSaved(file, context), context)).images.batch, 1);
  await assert.rejects(makeVideo({ images: gradients({ frames: 0 }) }, context), /at least one picture/);
});

test('gray and transparent pictures, values beyond 0 to 1 and what is not a number are stored', async () => {
  using context = nodeContext();
  for (const channels of [1, 4]) {
    const images = gradients({ channels });
    images.data.set([Number.NaN, Number.POSITIVE_INFINITY, -5, 7]);
    const file = await saveAs(await makeVideo({ images }, context), { format: { choice: 'mp4' } }, context);
    assert.equal((await componentsOf(await loadSaved(file, context), context)).images.channels, 3);
  }
});

test('sound with other than one, two or six channels is mixed to stereo, and odd rates are brought up', async () => {
  using context = nodeContext();
  const audio = sines({ channels: 4, samples: 10000, sampleRate: 40000 });
  const file = await saveAs(
    await makeVideo({ images: gradients(), audio }, context),
    { format: { choice: 'mp4' } },
    context,
  );
  assert.equal((await probe(file, context)).audio, 'aac 44100 2');
});

for (const codec of ['vp9', 'av1'] as const) {
  test(`SaveWEBM with ${codec} comes back the same`, async () => {
    using context = nodeContext({ hidden });
    const images = gradients();
    const result = await runNode(
      saveWebm,
      { images, filename_prefix: 'ComfyUI', codec, fps: 24, crf: 20 },
      context,
    );
    assert.equal(result.outputs[0], images);
    const file = savedBy(result);
    assert.equal(file.filename, 'ComfyUI_00001_.webm');
    const facts = await probe(file, context);
    assert.equal(facts.video, codec === 'vp9' ? 'vp9 yuv420p' : 'av1 yuv420p10le');
    assert.equal(facts.tags['workflow'], '{"nodes": [1, 2.5]}');
    const again = await componentsOf(await loadSaved(file, context), context);
    const { most, mean } = distance(again.images, images);
    assert.equal(again.images.batch, 6);
    assert.ok(most < 0.08 && mean < 0.01, `off by ${most}, on average ${mean}`);
  });
}

test('SaveWEBM stores odd sizes, one pixel and transparency with vp9', async () => {
  using context = nodeContext();
  for (const [width, height, channels] of [
    [33, 21, 3],
    [1, 1, 3],
    [35, 20, 4],
  ] as const) {
    const images = gradients({ width, height, channels, frames: 3 });
    const file = savedBy(
      await runNode(saveWebm, { images, filename_prefix: 'w', codec: 'vp9', fps: 0.5, crf: 10 }, context),
    );
    const again = await componentsOf(await loadSaved(file, context), context);
    assert.deepEqual([again.images.batch, again.images.height, again.images.width], [3, height, width]);
    const { mean } = distance(again.images, images);
    assert.ok(mean < 0.04, `${width}×${height}: off by ${mean} on average`);
  }
});

test('saving stops when the job is cancelled', async () => {
  using context = nodeContext();
  const video = await makeVideo({ images: gradients({ frames: 30 }) }, context);
  const cancelling = { ...context, progress: () => context.cancel() };
  await assert.rejects(saveAs(video, { format: { choice: 'mp4' } }, cancelling), { name: 'Interrupted' });
});
