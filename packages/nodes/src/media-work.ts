export { decodeAudio } from './av/decode-audio.ts';
export { openFile } from './av/open-media.ts';
export { writeAudio } from './av/write-audio.ts';
export { writeVideo } from './av/write-video.ts';
export { describeVideo, frameCount } from './video/describe-video.ts';
export { storeVideo } from './video/store-video.ts';
export { selectFrames, videoComponents } from './video/video-components.ts';
