import type { FileRef } from '@atelier/engine';
import type { Audio } from './audio.ts';
import type { Image } from './image.ts';

/** A part of a video in seconds; a `duration` of 0 goes on to the end. */
export interface VideoWindow {
  readonly start: number;
  readonly duration: number;
}

/** A video in a file, which is read when somebody needs its frames. */
export interface FileVideo {
  readonly kind: 'file';
  readonly ref: FileRef;
  readonly window: VideoWindow | null;
}

/** A video made of pictures, which is encoded when somebody saves it. */
export interface FramesVideo {
  readonly kind: 'frames';
  readonly images: Image;
  readonly fps: number;
  readonly audio: Audio | null;
  readonly bitDepth: number;
  readonly window: VideoWindow | null;
}

/** VIDEO: nothing is decoded, encoded or copied before it has to be. */
export type Video = FileVideo | FramesVideo;

declare module '@atelier/engine' {
  interface SocketTypes {
    VIDEO: Video;
  }
}
