import { combo, defineNode, float, link, optional, output, valueError } from '@atelier/engine';
import { loadMediaWork } from '../load-media-work.ts';

const BIT_DEPTHS = ['8', '10'] as const;

export const createVideo = defineNode({
  type: 'CreateVideo',
  title: 'Create Video',
  category: 'video',
  description: 'Makes a video of pictures.',
  searchAliases: ['images to video'],
  inputs: {
    images: link('IMAGE', { tooltip: 'The frames of the video.' }),
    fps: float({ default: 30, min: 1, max: 120, step: 1 }),
    audio: optional(link('AUDIO', { tooltip: 'What is heard with it.' })),
    bit_depth: optional(combo(BIT_DEPTHS, { default: '8', tooltip: 'How finely colors are stored.' })),
  },
  outputs: [output('VIDEO')],
  // Graphs have a number, but editors make a text of the choices.
  validate: { inputs: ['bit_depth'], check: { kind: 'number', choices: BIT_DEPTHS.map(Number) } },
  run({ images, fps, audio, bit_depth: depth }) {
    if (images.batch === 0) throw valueError('A video needs at least one picture.');
    return [
      { kind: 'frames', images, fps, audio: audio ?? null, bitDepth: Number(depth ?? 8), window: null },
    ];
  },
});

export const getVideoComponents = defineNode({
  type: 'GetVideoComponents',
  title: 'Get Video Components',
  category: 'video',
  description: 'Takes a video apart: its pictures, its sound, and how they are stored.',
  searchAliases: ['extract frames', 'split video', 'video to images', 'demux'],
  inputs: { video: link('VIDEO', { tooltip: 'The video to take apart.' }) },
  outputs: [
    output('IMAGE', { name: 'images' }),
    output('AUDIO', { name: 'audio' }),
    output('FLOAT', { name: 'fps' }),
    output('COMBO', { name: 'bit_depth' }),
    output('COMBO', { name: 'color_space' }),
  ],
  async run({ video }, context) {
    const { describeVideo, videoComponents } = await loadMediaWork();
    const { fps, bitDepth, colorSpace } = await describeVideo(video, context);
    const { images, audio } = await videoComponents(video, context);
    return [images, audio, fps, bitDepth, colorSpace];
  },
});
