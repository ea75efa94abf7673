import type { NodeType } from '@atelier/engine';
import { createVideo, getVideoComponents } from './create-video.ts';
import { loadVideo } from './load-video.ts';
import { saveVideo, saveWebm } from './save-video.ts';
import { videoFrameSample, videoRandomTemporalCrop, videoSlice, videoTemporalCrop } from './video-parts.ts';

export const videoNodes: readonly NodeType[] = [
  loadVideo,
  createVideo,
  getVideoComponents,
  videoSlice,
  saveVideo,
  saveWebm,
  videoFrameSample,
  videoTemporalCrop,
  videoRandomTemporalCrop,
];
