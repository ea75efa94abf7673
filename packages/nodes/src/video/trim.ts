import { type NodeContext, valueError } from '@atelier/engine';
import { loadMediaWork } from '../load-media-work.ts';
import type { Video, VideoWindow } from '../values/video.ts';

export interface Trim {
  /** Seconds; a negative number counts from the end. */
  readonly start: number;
  /** Seconds; 0 means everything that is left. */
  readonly duration: number;
  /** Fails if less than that is left. */
  readonly strict: boolean;
}

/** Rounding errors of sums of seconds. */
const TOLERANCE = 1e-9;

/** A part of a video, which may be a part itself. Only headers are read. */
export async function trimVideo(
  video: Video,
  { start: given, duration, strict }: Trim,
  work: Pick<NodeContext, 'files' | 'memory' | 'checkpoint'>,
): Promise<Video> {
  if (given === 0 && duration === 0) return video;
  const { describeVideo } = await loadMediaWork();
  const { duration: has } = await describeVideo(video, work);
  const start = given < 0 ? Math.max(0, has + given) : given;
  const left = has - start;
  // The length of pictures is known, but the header of a file may be wrong.
  const mustFit = strict || (video.kind === 'frames' && !video.window);
  if (left <= 0 || (mustFit && duration > left + TOLERANCE)) {
    throw valueError(
      `The video lasts ${seconds(has)} s, so ${duration > 0 ? `${seconds(duration)} s` : 'nothing'} from ${seconds(given)} s on can be taken.`,
    );
  }
  return { ...video, window: partOf(video.window, { start, duration }, left) };
}

function partOf(outer: VideoWindow | null, { start, duration }: VideoWindow, left: number): VideoWindow {
  if (!outer) return { start, duration };
  if (outer.duration === 0) return { start: outer.start + start, duration };
  return { start: outer.start + start, duration: duration > 0 ? Math.min(duration, left) : left };
}

function seconds(count: number): string {
  return String(Number(count.toFixed(3)));
}
