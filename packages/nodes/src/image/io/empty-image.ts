import { defineNode, int, output, valueError } from '@atelier/engine';
import { MAX_EDGE } from '../../values/arithmetic.ts';
import { newImage } from '../../values/image.ts';

export const emptyImage = defineNode({
  type: 'EmptyImage',
  title: 'Empty Image',
  category: 'image',
  inputs: {
    width: int({ default: 512, min: 1, max: MAX_EDGE, step: 1 }),
    height: int({ default: 512, min: 1, max: MAX_EDGE, step: 1 }),
    batch_size: int({ default: 1, min: 1, max: 4096 }),
    color: int({ default: 0, min: 0, max: 0xffffff, step: 1, display: 'color' }),
  },
  outputs: [output('IMAGE')],
  run({ width, height, batch_size: batch, color }, { memory, checkpoint }) {
    if (!(width >= 1 && height >= 1 && batch >= 1)) {
      throw valueError(`There is no picture with ${batch} × ${width} × ${height} pixels.`);
    }
    const image = newImage(memory, { batch, height, width, channels: 3 });
    const rowLength = width * 3;
    const row = image.data.subarray(0, rowLength);
    for (let at = 0; at < rowLength; at += 3) {
      row[at] = ((color >> 16) & 0xff) / 0xff;
      row[at + 1] = ((color >> 8) & 0xff) / 0xff;
      row[at + 2] = (color & 0xff) / 0xff;
    }
    for (let at = rowLength; at < image.data.length; at += rowLength) {
      if (at % (rowLength * 64) === 0) checkpoint();
      image.data.copyWithin(at, 0, rowLength);
    }
    return [image];
  },
});
