import type { VideoModel } from './generation.ts';

const upTo = (seconds: number) => Array.from({ length: seconds }, (_, index) => index + 1);

/** Duration and resolution by model, with the defaults first, as the rules have them. */
export const DURATIONS: Readonly<Record<VideoModel, readonly number[]>> = {
  'clipq3-pro': [5, ...upTo(16)],
  'clipq2-pro-fast': [5, ...upTo(10)],
  'clipq2-pro': [5, ...upTo(8)],
  'clipq2-turbo': [5, ...upTo(8)],
  clipq1: [5],
  'clipq1-classic': [5],
  'clip2.0': [4, 8],
};
export const RESOLUTIONS: Readonly<Record<VideoModel, readonly string[]>> = {
  'clipq3-pro': ['720p', '540p', '1080p', '2K'],
  'clipq2-pro-fast': ['720p', '1080p'],
  'clipq2-pro': ['720p', '540p', '1080p'],
  'clipq2-turbo': ['720p', '540p', '1080p'],
  clipq1: ['1080p'],
  'clipq1-classic': ['1080p'],
  'clip2.0': ['360p', '720p', '1080p'],
};
