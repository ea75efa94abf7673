export { type AudioTrack, addAudioTrack } from './audio-track.ts';
export { framesOf, newPacket, openDecoder, readPacket } from './decoder.ts';
export { pacer } from './ffmpeg.ts';
export { createMediaWriter } from './media-writer.ts';
export { openMedia, videoOf } from './open-media.ts';
export { createPixelConverter, newFrame, turnsOf } from './pixels.ts';
export { addVideoTrack, SRGB_TAGS } from './video-track.ts';
