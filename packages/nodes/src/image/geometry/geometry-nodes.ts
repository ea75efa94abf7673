import { nodesIn } from '../../nodes-in.ts';
import * as batching from './batching.ts';
import * as crop from './crop.ts';
import * as cropToMask from './crop-to-mask.ts';
import * as dataset from './dataset.ts';
import * as emptyLatent from './empty-latent.ts';
import * as padForOutpaint from './pad-for-outpaint.ts';
import * as resizeEdges from './resize-edges.ts';
import * as resizeImageMask from './resize-image-mask.ts';
import * as rotateFlip from './rotate-flip.ts';
import * as scale from './scale.ts';
import * as stitch from './stitch.ts';
import * as tiles from './tiles.ts';

export const geometryNodes = nodesIn(
  scale,
  resizeImageMask,
  resizeEdges,
  crop,
  cropToMask,
  padForOutpaint,
  rotateFlip,
  stitch,
  batching,
  tiles,
  dataset,
  emptyLatent,
);
