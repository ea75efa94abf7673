import {
  boolean,
  combo,
  defineNode,
  fileCombo,
  int,
  link,
  listCombo,
  type NodeContext,
  output,
  valueError,
} from '@atelier/engine';
import { MAX_EDGE } from '../../values/arithmetic.ts';
import { toChannel, toImage, toMask } from '../codecs/decoded-floats.ts';
import { inputPictures, pictureFingerprint, pictureMustExist, readPicture } from './picture-files.ts';

export const loadImage = defineNode({
  type: 'LoadImage',
  title: 'Load Image',
  category: 'image',
  searchAliases: [
    'load image',
    'open image',
    'import image',
    'image input',
    'upload image',
    'read image',
    'image loader',
  ],
  inputs: { image: fileCombo(inputPictures, { image_upload: true }) },
  outputs: [output('IMAGE'), output('MASK')],
  validate: pictureMustExist,
  fingerprint: pictureFingerprint,
  run: loadWithMask,
});

async function loadWithMask({ image }: { readonly image: string }, context: NodeContext) {
  const decoded = await readPicture(image, context);
  return [toImage(decoded, context), toMask(decoded, context)] as const;
}

const COLORS = ['red', 'green', 'blue'];

export const loadImageMask = defineNode({
  type: 'LoadImageMask',
  title: 'Load Image (as Mask)',
  category: 'image',
  searchAliases: ['import mask', 'alpha mask', 'channel mask'],
  inputs: {
    image: fileCombo(inputPictures, { image_upload: true }),
    channel: listCombo(['alpha', 'red', 'green', 'blue']),
  },
  outputs: [output('MASK')],
  validate: pictureMustExist,
  fingerprint: pictureFingerprint,
  async run({ image, channel }, context) {
    const decoded = await readPicture(image, context);
    return [
      channel === 'alpha' ? toMask(decoded, context) : toChannel(decoded, COLORS.indexOf(channel), context),
    ];
  },
});

export const loadImageOutput = defineNode({
  type: 'LoadImageOutput',
  title: 'Load Image (from Outputs)',
  category: 'image',
  description:
    'Loads a picture that was saved before. Its refresh button reads the list of saved pictures again and chooses the newest.',
  searchAliases: ['output image', 'previous generation'],
  experimental: true,
  inputs: {
    // Editors ask the route for the choices.
    image: combo([], {
      image_upload: true,
      image_folder: 'output',
      remote: { route: '/internal/files/output', refresh_button: true, control_after_refresh: 'first' },
    }),
  },
  outputs: [output('IMAGE'), output('MASK')],
  validate: pictureMustExist,
  fingerprint: pictureFingerprint,
  run: loadWithMask,
});

export const webcamCapture = defineNode({
  type: 'WebcamCapture',
  title: 'Webcam Capture',
  category: 'image',
  searchAliases: ['camera input', 'live capture', 'camera feed', 'snapshot'],
  inputs: {
    image: link('WEBCAM'),
    width: int({ default: 0, min: 0, max: MAX_EDGE, step: 1 }),
    height: int({ default: 0, min: 0, max: MAX_EDGE, step: 1 }),
    capture_on_queue: boolean({ default: true }),
  },
  outputs: [output('IMAGE')],
  validate: pictureMustExist,
  fingerprint: pictureFingerprint,
  async run({ image }, context) {
    // The editor has taken and uploaded the picture in that size, so the input is its name.
    if (typeof image !== 'string') throw valueError('No picture was taken with the webcam.');
    return [toImage(await readPicture(image, context), context)];
  },
});
