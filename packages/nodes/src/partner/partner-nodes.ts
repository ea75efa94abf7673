import { nodesIn } from '../nodes-in.ts';
import * as imageRelight from './image-relight.ts';
import * as imageToVideo from './image-to-video.ts';
import * as skinEnhancer from './skin-enhancer.ts';
import * as textToVideo from './text-to-video.ts';

export const partnerNodes = nodesIn(skinEnhancer, imageRelight, textToVideo, imageToVideo);
