import { type Case, node, save, twoColors } from '../case.ts';

const frames = {
  '1': node('EmptyImage', { width: 32, height: 32, batch_size: 4, color: 0x55_66_77 }),
  '2': node('ImageAddNoise', { image: ['1', 0], seed: 9, strength: 0.6 }),
};
const sound = node('EmptyAudio', { duration: 0.5, sample_rate: 44_100, channels: 2 });

export const OUTPUT_CASES: readonly Case[] = [
  {
    title: 'PreviewImage shows a temporary file',
    workflow: () => ({ ...twoColors('1'), '2': node('PreviewImage', { images: ['1', 0] }) }),
  },
  {
    title: 'SaveImageWebsocket sends pictures as frames',
    workflow: () => ({ ...frames, '3': node('SaveImageWebsocket', { images: ['2', 0] }) }),
  },
  {
    title: 'SaveAnimatedWEBP',
    workflow: (prefix) => ({
      ...frames,
      '3': node('SaveAnimatedWEBP', {
        images: ['2', 0],
        filename_prefix: `${prefix}/animated`,
        fps: 6,
        lossless: true,
        quality: 80,
        method: 'default',
      }),
    }),
  },
  {
    title: 'SaveAnimatedPNG',
    workflow: (prefix) => ({
      ...frames,
      '3': node('SaveAnimatedPNG', {
        images: ['2', 0],
        filename_prefix: `${prefix}/animated`,
        fps: 6,
        compress_level: 4,
      }),
    }),
  },
  {
    title: 'SaveWEBM',
    workflow: (prefix) => ({
      ...frames,
      '3': node('SaveWEBM', {
        images: ['2', 0],
        filename_prefix: `${prefix}/film`,
        codec: 'vp9',
        fps: 8,
        crf: 40,
      }),
    }),
  },
  {
    title: 'SaveVideo',
    workflow: (prefix) => ({
      ...frames,
      '3': node('CreateVideo', { images: ['2', 0], fps: 8 }),
      '4': node('SaveVideo', {
        video: ['3', 0],
        filename_prefix: `${prefix}/film`,
        format: 'auto',
        codec: 'auto',
      }),
    }),
  },
  {
    title: 'SaveAudio',
    workflow: (prefix) => ({
      '1': sound,
      '2': node('SaveAudio', { audio: ['1', 0], filename_prefix: `${prefix}/sound` }),
    }),
  },
  {
    title: 'PreviewAudio',
    workflow: () => ({ '1': sound, '2': node('PreviewAudio', { audio: ['1', 0] }) }),
  },
  {
    title: 'SaveLatent',
    workflow: (prefix) => ({
      '1': node('EmptyLatentImage', { width: 64, height: 32, batch_size: 2 }),
      '2': node('SaveLatent', { samples: ['1', 0], filename_prefix: `${prefix}/latent` }),
    }),
  },
  {
    title: 'parts of a prefix are filled in',
    runs: 2,
    workflow: (prefix, run) => ({
      ...twoColors('1', run),
      '2': save(['1', 0], `${prefix}/%year%-%month%-%day%_%width%x%height%`),
    }),
  },
  {
    title: 'parts of a prefix that only editors know stay',
    runs: 2,
    workflow: (prefix, run) => ({
      ...twoColors('1', run),
      '2': save(['1', 0], `${prefix}/%date:yyyy% %nothing%`),
    }),
  },
  {
    title: 'names in other scripts',
    workflow: (prefix) => ({ ...twoColors('1'), '2': save(['1', 0], `${prefix}/Ünï 猫 🐈/с именем`) }),
  },
  {
    title: 'a prefix that ends in a number',
    workflow: (prefix) => ({ ...twoColors('1'), '2': save(['1', 0], `${prefix}/take_00007`) }),
  },
  {
    title: 'two nodes save under one prefix',
    workflow: (prefix) => ({
      ...twoColors('1'),
      '2': save(['1', 0], `${prefix}/same`),
      '3': node('ImageInvert', { image: ['1', 0] }),
      '4': save(['3', 0], `${prefix}/same`),
    }),
  },
  {
    title: 'a second run finds the results of the first',
    runs: 2,
    workflow: (prefix) => ({ ...twoColors('1'), '2': save(['1', 0], `${prefix}/again`) }),
  },
  {
    title: 'the workflow of the editor is in the file',
    submission: { extra_data: { extra_pnginfo: { workflow: { nodes: [], note: 'Grüße, 猫' } } } },
    workflow: (prefix) => ({ ...twoColors('1'), '2': save(['1', 0], `${prefix}/noted`) }),
  },
];
