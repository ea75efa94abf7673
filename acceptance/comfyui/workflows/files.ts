import { face } from '../../support/test-pictures.ts';
import { png } from '../../support/user-files.ts';
import { type Case, node, save, type Upload } from '../case.ts';

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
];
