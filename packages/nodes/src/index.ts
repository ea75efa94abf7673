import './av/quiet-encoders.ts';
import { definePack } from '@atelier/engine';
import { audioNodes } from './audio/audio-nodes.ts';
import { filterNodes } from './image/filters/filter-nodes.ts';
import { geometryNodes } from './image/geometry/geometry-nodes.ts';
import { imageIoNodes } from './image/io/image-io-nodes.ts';
import { logicNodes } from './logic/logic-nodes.ts';
import { maskNodes } from './mask/mask-nodes.ts';
import { partnerNodes } from './partner/partner-nodes.ts';
import { textNodes } from './text/text-nodes.ts';
import { videoNodes } from './video/video-nodes.ts';

export { encodePng } from './image/codecs/encode-png.ts';
export type * from './values/audio.ts';
export * from './values/image.ts';
export type * from './values/video.ts';

export const pack = definePack({
  name: 'nodes',
  nodes: [
    ...imageIoNodes,
    ...geometryNodes,
    ...filterNodes,
    ...maskNodes,
    ...textNodes,
    ...logicNodes,
    ...audioNodes,
    ...videoNodes,
    ...partnerNodes,
  ],
  builtIn: true,
});
