import { defineNode, link } from '@atelier/engine';
import { picture } from '../../values/image.ts';
import { encodePng } from '../codecs/encode-png.ts';

/** Pictures are sent once and not kept, so that zlib need not try hard. */
const LEVEL = 1;

export const saveImageWebsocket = defineNode({
  type: 'SaveImageWebsocket',
  category: 'api/image',
  description:
    'Sends pictures as PNG to the WebSocket of the client that submitted the workflow. Nothing is saved.',
  outputNode: true,
  inputs: { images: link('IMAGE') },
  outputs: [],
  // Who submits it again wants the pictures again.
  fingerprint: () => Number.NaN,
  async run({ images }, context) {
    for (let index = 0; index < images.batch; index++) {
      const bytes = await encodePng(picture(images, index), images, { level: LEVEL }, context);
      context.progress(index, images.batch, { type: 'image/png', bytes, isOutput: true });
    }
    return [];
  },
});
