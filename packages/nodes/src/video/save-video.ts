import {
  combo,
  defineNode,
  dynamicCombo,
  float,
  link,
  optional,
  output,
  string,
  valueError,
} from '@atelier/engine';
import { saveNumbered } from '../files/save-path.ts';
import { METADATA_INPUTS, metadataTexts } from '../image/io/job-metadata.ts';
import { loadMediaWork } from '../load-media-work.ts';
import { fileRate } from './kernels/frame-window.ts';

const encoding = (crf: number, max: number) =>
  optional(
    dynamicCombo(
      {
        auto: {},
        're-encode': {
          crf: float({ default: crf, min: 0, max, step: 1, tooltip: 'Lower is better, and larger.' }),
        },
      },
      {
        display_name: 'encoding mode',
        tooltip: 'A video that is already stored this way is copied, unless it is encoded again.',
      },
    ),
  );

const CODECS = {
  auto: {},
  h264: { encoding: encoding(23, 51) },
  av1: { encoding: encoding(30, 63) },
};
const CODEC_OPTIONS = { tooltip: 'How the video is stored. A video that fits is copied as it is.' };
// Older graphs give the codec beside the format.
const codecInput = () => optional(dynamicCombo(CODECS, CODEC_OPTIONS));

export const saveVideo = defineNode({
  type: 'SaveVideo',
  title: 'Save Video',
  category: 'video',
  description: 'Saves a video in the output folder.',
  searchAliases: ['export video'],
  outputNode: true,
  inputs: {
    video: link('VIDEO', { tooltip: 'The video to save.' }),
    filename_prefix: string({
      default: 'video/ComfyUI',
      tooltip: 'How the name of the file starts. May hold folders and tokens such as %date:yyyy-MM-dd%.',
    }),
    format: dynamicCombo(
      {
        auto: { codec: codecInput() },
        mp4: { codec: codecInput() },
        mkv: { codec: codecInput() },
        webm: { codec: optional(dynamicCombo({ auto: CODECS.auto, av1: CODECS.av1 }, CODEC_OPTIONS)) },
      },
      { tooltip: 'The kind of file. Auto is WebM for AV1 and MP4 for everything else.' },
    ),
    codec: optional(dynamicCombo(CODECS, { ...CODEC_OPTIONS, hidden: true })),
  },
  hidden: METADATA_INPUTS,
  outputs: [output('VIDEO', { name: 'video', tooltip: 'The video as it came.' })],
  async run({ video, filename_prefix, format, codec: beside }, context) {
    const chosen = format.codec ?? beside ?? { choice: 'auto' as const };
    const kind = format.choice === 'auto' ? (chosen.choice === 'av1' ? 'webm' : 'mp4') : format.choice;
    if (kind === 'webm' && chosen.choice === 'h264') {
      throw valueError('WebM holds AV1, not H.264: choose another format or codec.');
    }
    const encode = chosen.choice === 'auto' ? undefined : chosen.encoding;
    const crf = encode?.choice === 're-encode' ? encode.crf : undefined;
    const { describeVideo, storeVideo } = await loadMediaWork();
    const { width, height } = await describeVideo(video, context);
    const localPath = await context.files.scratchPath(kind);
    const { prompt, ...rest } = Object.fromEntries(metadataTexts(context.hidden));
    // The editor's tags come first here, and a tag called prompt is the graph's.
    const tags = prompt === undefined ? rest : { ...rest, prompt };
    await storeVideo(video, localPath, { kind, codec: chosen.choice, crf, tags }, context);
    const options = { ending: `_.${kind}`, width, height };
    const images = await saveNumbered(filename_prefix, [{ localPath }], options, context);
    return { outputs: [video], ui: { images, animated: [true] } };
  },
});

export const saveWebm = defineNode({
  type: 'SaveWEBM',
  title: 'Save WEBM',
  category: 'video',
  description: 'Saves pictures as a WebM video.',
  searchAliases: ['export webm'],
  experimental: true,
  outputNode: true,
  inputs: {
    images: link('IMAGE', { tooltip: 'The frames. Their transparency is kept with vp9.' }),
    filename_prefix: string({ default: 'ComfyUI' }),
    codec: combo(['vp9', 'av1']),
    fps: float({ default: 24, min: 0.01, max: 1000, step: 0.01 }),
    crf: float({ default: 32, min: 0, max: 63, step: 1, tooltip: 'Lower is better, and larger.' }),
  },
  hidden: METADATA_INPUTS,
  outputs: [output('IMAGE', { name: 'images' })],
  async run({ images, filename_prefix, codec, fps, crf }, context) {
    const { width, height, batch } = images;
    const localPath = await context.files.scratchPath('webm');
    const opaque = codec === 'av1' ? 'yuv420p10le' : 'yuv420p';
    const pixels = images.channels === 4 && codec === 'vp9' ? 'yuva420p' : opaque;
    const frameRate = fileRate(fps);
    const frames = {
      images,
      first: 0,
      count: batch,
      frameRate,
      audio: null,
      pixels,
      colors: undefined,
    } as const;
    const options = { crf: String(crf), ...(codec === 'av1' ? { preset: '6' } : {}) };
    const tags = Object.fromEntries(metadataTexts(context.hidden));
    const { writeVideo } = await loadMediaWork();
    await writeVideo(localPath, frames, { container: 'webm', codec, options, tags }, context);
    const place = { ending: '_.webm', width, height };
    const saved = await saveNumbered(filename_prefix, [{ localPath }], place, context);
    return { outputs: [images], ui: { images: saved, animated: [true] } };
  },
});
