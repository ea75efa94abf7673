import { emptyImage } from './empty-image.ts';
import { loadImage, loadImageMask, loadImageOutput, webcamCapture } from './load-image.ts';
import { painter } from './painter.ts';
import { saveImageAdvanced } from './save-advanced.ts';
import { saveAnimatedPng, saveAnimatedWebp } from './save-animated.ts';
import { imageCompare, maskPreview, previewImage, saveImage } from './save-image.ts';
import { saveSvg } from './save-svg.ts';
import { saveImageWebsocket } from './save-websocket.ts';

export const imageIoNodes = [
  loadImage,
  loadImageMask,
  loadImageOutput,
  saveImage,
  previewImage,
  emptyImage,
  saveImageAdvanced,
  saveAnimatedPng,
  saveAnimatedWebp,
  saveSvg,
  saveImageWebsocket,
  imageCompare,
  webcamCapture,
  painter,
  maskPreview,
];
