import { batchingNodes } from './batching.ts';
import { cropNodes } from './crop.ts';
import { imageCropToMask } from './crop-to-mask.ts';
import { datasetNodes } from './dataset.ts';
import { emptyLatentImage } from './empty-latent.ts';
import { imagePadForOutpaint } from './pad-for-outpaint.ts';
import { resizeEdgeNodes } from './resize-edges.ts';
import { resizeImageMask } from './resize-image-mask.ts';
import { turningNodes } from './rotate-flip.ts';
import { imageScalingNodes } from './scale.ts';
import { imageStitch } from './stitch.ts';
import { tileNodes } from './tiles.ts';

/** Nodes that change sizes and places of pictures, and those that batch them. */
export const geometryNodes = [
  ...imageScalingNodes,
  resizeImageMask,
  ...resizeEdgeNodes,
  ...cropNodes,
  imageCropToMask,
  imagePadForOutpaint,
  ...turningNodes,
  imageStitch,
  ...batchingNodes,
  ...tileNodes,
  ...datasetNodes,
  emptyLatentImage,
];
