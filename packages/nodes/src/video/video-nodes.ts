import { nodesIn } from '../nodes-in.ts';
import * as createVideo from './create-video.ts';
import * as loadVideo from './load-video.ts';
import * as saveVideo from './save-video.ts';
import * as videoParts from './video-parts.ts';

export const videoNodes = nodesIn(loadVideo, createVideo, videoParts, saveVideo);
