import { face } from '../../support/test-pictures.ts';
import { png } from '../../support/user-files.ts';
import { type Case, node, save, twoColors, type Upload } from '../case.ts';

const portrait: Upload = {
  name: 'atelier test face.png',
  bytes: async () => await face({ width: 64, height: 48 }),
};
const glass: Upload = {
  name: 'atelier-glass.png',
  subfolder: 'atelier test/Größe 猫',
  bytes: async () =>
    await png(
      Array.from({ length: 8 * 6 * 4 }, (_, index) => (index * 37) % 256),
      8,
      6,
    ),
};

const broken: Upload = { name: 'atelier-broken.png', bytes: async () => Buffer.from('not a picture') };

export const FILE_CASES: readonly Case[] = [
  {
    title: 'LoadImage of an upload',
    uploads: [portrait],
    workflow: (prefix) => ({
      '1': node('LoadImage', { image: portrait.name }),
      '2': node('ImageInvert', { image: ['1', 0] }),
      '3': save(['2', 0], `${prefix}/loaded`),
    }),
  },
  {
    title: 'LoadImage of a subfolder, with its mask',
    uploads: [glass],
    workflow: (prefix) => ({
      '1': node('LoadImage', { image: `${glass.subfolder}/${glass.name}` }),
      '2': node('MaskToImage', { mask: ['1', 1] }),
      '3': save(['2', 0], `${prefix}/mask`),
      '4': save(['1', 0], `${prefix}/picture`),
    }),
  },
  {
    title: 'LoadImageMask of a color',
    uploads: [portrait],
    workflow: (prefix) => ({
      '1': node('LoadImageMask', { image: `${portrait.name} [input]`, channel: 'green' }),
      '2': node('MaskToImage', { mask: ['1', 0] }),
      '3': save(['2', 0], `${prefix}/green`),
    }),
  },
  {
    title: 'two nodes load one upload, a third one another',
    uploads: [portrait, glass],
    workflow: (prefix) => ({
      '1': node('LoadImage', { image: portrait.name }),
      '2': node('LoadImageMask', { image: portrait.name, channel: 'red' }),
      '3': node('LoadImage', { image: `${glass.subfolder}/${glass.name}` }),
      '4': node('ImageCompositeMasked', {
        destination: ['1', 0],
        source: ['3', 0],
        x: 5,
        y: 5,
        resize_source: true,
        mask: ['2', 0],
      }),
      '5': save(['4', 0], `${prefix}/composite`),
    }),
  },
  {
    title: 'an upload that is not a picture',
    uploads: [broken],
    ends: 'error',
    workflow: (prefix) => ({
      '1': node('LoadImage', { image: broken.name }),
      '2': save(['1', 0], `${prefix}/broken`),
    }),
  },
  {
    title: 'LoadImage and LoadImageOutput of what an earlier job saved',
    runs: 2,
    workflow: (prefix, run) =>
      run === 0
        ? { ...twoColors('1'), '2': save(['1', 0], `${prefix}/first`) }
        : {
            '1': node('LoadImage', { image: `${prefix}/first_00001_.png [output]` }),
            '2': node('LoadImageOutput', { image: `${prefix}/first_00001_.png [output]` }),
            '3': node('ImageBlend', {
              image1: ['1', 0],
              image2: ['2', 0],
              blend_factor: 0.5,
              blend_mode: 'screen',
            }),
            '4': save(['3', 0], `${prefix}/second`),
          },
  },
  {
    title: 'LoadVideo of what an earlier job saved',
    runs: 2,
    workflow: (prefix, run) =>
      run === 0
        ? {
            '1': node('EmptyImage', { width: 32, height: 32, batch_size: 4, color: 0x55_66_77 }),
            '2': node('CreateVideo', { images: ['1', 0], fps: 8 }),
            '3': node('SaveVideo', {
              video: ['2', 0],
              filename_prefix: `${prefix}/film`,
              format: 'mp4',
              codec: 'h264',
            }),
          }
        : {
            '1': node('LoadVideo', { file: `${prefix}/film_00001_.mp4 [output]` }),
            '2': node('GetVideoComponents', { video: ['1', 0] }),
            '3': save(['2', 0], `${prefix}/frame`),
            '4': node('PreviewAny', { source: ['2', 2] }),
          },
  },
];
