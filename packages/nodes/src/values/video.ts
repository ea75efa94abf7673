import type { FileRef } from '@atelier/engine';
import type { Audio } from './audio.ts';
import type { Image } from './image.ts';

export interface VideoWindow {
  readonly start: number;
  readonly duration: number;
}

/** A video in a file, which is read when its frames are needed. */
export interface FileVideo {
  readonly kind: 'file';
  readonly ref: FileRef;
  readonly window: VideoWindow | null;
}

/** A video of pictures, which is encoded when it is saved. */
export interface FramesVideo {
  readonly kind: 'frames';
  readonly images: Image;
  readonly fps: number;
  readonly audio: Audio | null;
  readonly bitDepth: number;
  readonly window: VideoWindow | null;
}

/** VIDEO: decoded, encoded or copied only when necessary. */
export type Video = FileVideo | FramesVideo;

declare module '@atelier/engine' {
  interface SocketTypes {
    VIDEO: Video;
  }
}
