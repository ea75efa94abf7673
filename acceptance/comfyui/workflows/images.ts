import { type Case, node, save, twoColors } from '../case.ts';

/** One node between a picture and a file. */
function through(class_type: string, inputs: Readonly<Record<string, unknown>>, name = 'image'): Case {
  return {
    title: class_type,
    workflow: (prefix) => ({
      ...twoColors('1'),
      '2': node(class_type, { [name]: ['1', 0], ...inputs }),
      '3': save(['2', 0], `${prefix}/picture`),
    }),
  };
}

const masks = {
  '4': node('SolidMask', { value: 0.25, width: 100, height: 32 }),
  '5': node('FeatherMask', { mask: ['4', 0], left: 9, top: 3, right: 20, bottom: 5 }),
};

export const IMAGE_CASES: readonly Case[] = [
  through('ImageInvert', {}),
  through('ImageScale', { upscale_method: 'lanczos', width: 37, height: 21, crop: 'center' }),
  through('ImageScaleBy', { upscale_method: 'bicubic', scale_by: 1.7 }),
  through('ImageRotate', { rotation: '90 degrees' }),
  through('ImageFlip', { flip_method: 'y-axis: horizontally' }),
  through('ImageCrop', { width: 20, height: 10, x: 40, y: 5 }),
  through('ImageBlur', { blur_radius: 5, sigma: 2 }),
  through('ImageSharpen', { sharpen_radius: 2, sigma: 1, alpha: 1.5 }),
  through('ImageQuantize', { colors: 4, dither: 'floyd-steinberg' }),
  through('ImageAddNoise', { seed: 2 ** 53, strength: 0.4 }),
  through('Canny', { low_threshold: 0.1, high_threshold: 0.3 }),
  through('Morphology', { operation: 'gradient', kernel_size: 3 }),
  through('ImagePadForOutpaint', { left: 8, top: 0, right: 16, bottom: 8, feathering: 4 }),
  through(
    'ResizeImageMaskNode',
    { resize_type: 'scale by multiplier', 'resize_type.multiplier': 0.5, scale_method: 'area' },
    'input',
  ),
  {
    title: 'masks: feathered, combined, joined as alpha and split again',
    workflow: (prefix) => ({
      ...twoColors('1'),
      ...masks,
      '6': node('MaskComposite', {
        destination: ['5', 0],
        source: ['4', 0],
        x: 10,
        y: 10,
        operation: 'subtract',
      }),
      '7': node('GrowMask', { mask: ['6', 0], expand: 3, tapered_corners: true }),
      '8': node('InvertMask', { mask: ['7', 0] }),
      '9': node('JoinImageWithAlpha', { image: ['1', 0], alpha: ['8', 0] }),
      '10': node('SplitImageWithAlpha', { image: ['9', 0] }),
      '11': node('MaskToImage', { mask: ['10', 1] }),
      '12': save(['11', 0], `${prefix}/mask`),
      '13': save(['9', 0], `${prefix}/transparent`),
    }),
  },
  {
    title: 'MaskPreview shows a temporary file',
    workflow: () => ({ ...masks, '6': node('MaskPreview', { mask: ['5', 0] }) }),
  },
  {
    title: 'a composite of a picture on another through a mask',
    workflow: (prefix) => ({
      ...twoColors('1'),
      ...masks,
      '6': node('EmptyImage', { width: 100, height: 32, batch_size: 1, color: 255 }),
      '7': node('ImageCompositeMasked', {
        destination: ['1', 0],
        source: ['6', 0],
        x: 3,
        y: 4,
        resize_source: false,
        mask: ['5', 0],
      }),
      '8': save(['7', 0], `${prefix}/composite`),
    }),
  },
  {
    title: 'a batch of five pictures in one node',
    workflow: (prefix) => ({
      '1': node('EmptyImage', { width: 16, height: 16, batch_size: 5, color: 0x12_34_56 }),
      '2': node('ImageAddNoise', { image: ['1', 0], seed: 5, strength: 0.5 }),
      '3': save(['2', 0], `${prefix}/batch`),
    }),
  },
  {
    title: 'lists: a batch taken apart is saved picture by picture',
    workflow: (prefix) => ({
      '1': node('EmptyImage', { width: 16, height: 16, batch_size: 4, color: 0x12_34_56 }),
      '2': node('ImageAddNoise', { image: ['1', 0], seed: 6, strength: 0.5 }),
      '3': node('RebatchImages', { images: ['2', 0], batch_size: 1 }),
      '4': node('ImageInvert', { image: ['3', 0] }),
      '5': save(['4', 0], `${prefix}/list`),
    }),
  },
  {
    title: 'a growing input of several pictures',
    workflow: (prefix) => ({
      ...twoColors('1'),
      '2': node('ImageInvert', { image: ['1', 0] }),
      '3': node('BatchImagesNode', { 'images.image0': ['1', 0], 'images.image1': ['2', 0] }),
      '4': save(['3', 0], `${prefix}/grown`),
    }),
  },
  {
    title: 'a picture of 2048 by 1536',
    workflow: (prefix) => ({
      '1': node('EmptyImage', { width: 2048, height: 1536, batch_size: 1, color: 0x80_80_80 }),
      '2': node('ImageAddNoise', { image: ['1', 0], seed: 1, strength: 0.1 }),
      '3': save(['2', 0], `${prefix}/large`),
    }),
  },
  {
    title: 'a picture of one pixel',
    workflow: (prefix) => ({
      '1': node('EmptyImage', { width: 1, height: 1, batch_size: 1, color: 0xff_00_ff }),
      '2': save(['1', 0], `${prefix}/pixel`),
    }),
  },
];
