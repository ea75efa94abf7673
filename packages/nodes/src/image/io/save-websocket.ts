import { defineNode, link } from '@atelier/engine';
import { picture } from '../../values/image.ts';
import { encodePng } from '../codecs/encode-png.ts';

/** Sent once and not stored, so hard compression does not pay. */
const LEVEL = 1;

export const saveImageWebsocket = defineNode({
  type: 'SaveImageWebsocket',
  category: 'api/image',
  description:
    'Sends pictures as PNG to the WebSocket of the client that submitted the workflow. Nothing is saved.',
  outputNode: true,
  inputs: { images: link('IMAGE') },
  outputs: [],
  // A resubmitted graph must send the pictures again.
  fingerprint: () => Number.NaN,
  async run({ images }, context) {
    for (let index = 0; index < images.batch; index++) {
      const bytes = await encodePng(picture(images, index), images, { level: LEVEL }, context);
      context.progress(index, images.batch, { type: 'image/png', bytes, isOutput: true });
    }
    return [];
  },
});
