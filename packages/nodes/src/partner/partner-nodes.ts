import type { NodeType } from '@atelier/engine';
import { imageRelight } from './image-relight.ts';
import { imageToVideo } from './image-to-video.ts';
import { skinEnhancer } from './skin-enhancer.ts';
import { textToVideo } from './text-to-video.ts';

export const partnerNodes: readonly NodeType[] = [skinEnhancer, imageRelight, textToVideo, imageToVideo];
