import { valueError } from '@atelier/engine';
import { AVCOL_RANGE_JPEG, AVCOL_RANGE_MPEG, type AVPixelFormat } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { check } from './ffmpeg.ts';
import type { Fraction } from './fraction.ts';
import { createPixelConverter, newFrame, turnsOf } from './pixels.ts';
import { createFrameTurner } from './turn-frames.ts';
import type { ColorTags } from './video-track.ts';

export type FrameShaper = ReturnType<typeof createFrameShaper>;

interface ShapeOptions {
  readonly name: string;
  readonly pixelFormat: AVPixelFormat;
  readonly timeBase: Fraction;
  /** What the source says of its colors, when that is kept. */
  readonly colors: ColorTags | undefined;
}

/** Makes frames like the first one of the source what an encoder takes: upright, of an even size, in its pixel format. */
export function createFrameShaper(first: Frame, { name, pixelFormat, timeBase, colors }: ShapeOptions) {
  const turns = turnsOf(first);
  const { width: sourceWidth, height: sourceHeight } = first;
  const [shownWidth, shownHeight] =
    turns % 2 === 1 ? [sourceHeight, sourceWidth] : [sourceWidth, sourceHeight];
  const size = { width: shownWidth - (shownWidth % 2), height: shownHeight - (shownHeight % 2) };
  if (size.width === 0 || size.height === 0) {
    throw valueError(`The frames of ${name} are too small to be encoded: ${shownWidth}×${shownHeight}.`);
  }
  const turner = turns === 0 ? undefined : createFrameTurner(first, turns, timeBase);
  const converter = createPixelConverter();
  return {
    ...size,
    /** The frame as it is encoded, which the caller frees. */
    shape(frame: Frame): Frame {
      if (frame.width !== sourceWidth || frame.height !== sourceHeight) {
        throw valueError(
          `The frames of ${name} change from ${sourceWidth}×${sourceHeight} to ${frame.width}×${frame.height}.`,
        );
      }
      using turned = turner?.turn(frame);
      const upright = turned ?? frame;
      // Its last odd row and column stay outside.
      Object.assign(upright, size);
      const shaped = newFrame(pixelFormat, size);
      try {
        Object.assign(shaped, colors ?? plainColors(upright));
        check(shaped.getBuffer(), 'Making room for a frame');
        converter.convert(shaped, upright);
        return shaped;
      } catch (error) {
        shaped.free();
        throw error;
      }
    },
    [Symbol.dispose]() {
      converter[Symbol.dispose]();
      turner?.[Symbol.dispose]();
    },
  };
}

/** The matrix stays; what uses the full range, as pictures do, is brought to the range of video. */
function plainColors({ colorSpace, colorRange }: Frame): Pick<ColorTags, 'colorSpace' | 'colorRange'> {
  return { colorSpace, colorRange: colorRange === AVCOL_RANGE_JPEG ? AVCOL_RANGE_MPEG : colorRange };
}
