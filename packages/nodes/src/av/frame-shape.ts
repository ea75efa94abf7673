import { valueError } from '@atelier/engine';
import { AVCOL_RANGE_JPEG, AVCOL_RANGE_MPEG, type AVPixelFormat } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { Fraction } from '../values/arithmetic.ts';
import { check } from './ffmpeg.ts';
import { createPixelConverter, newFrame, turnsOf } from './pixels.ts';
import { createFrameTurner } from './turn-frames.ts';
import type { ColorTags } from './video-track.ts';

export type FrameShaper = ReturnType<typeof createFrameShaper>;

interface ShapeOptions {
  readonly name: string;
  readonly pixelFormat: AVPixelFormat;
  readonly timeBase: Fraction;
  /** The color tags of the source, if they are kept. */
  readonly colors: ColorTags | undefined;
}

/** Turns frames like the first one into frames for an encoder: upright, of an even size, in its pixel format. */
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
    /** The caller must free the returned frame. */
    shape(frame: Frame): Frame {
      if (frame.width !== sourceWidth || frame.height !== sourceHeight) {
        throw valueError(
          `The frames of ${name} change from ${sourceWidth}×${sourceHeight} to ${frame.width}×${frame.height}.`,
        );
      }
      using turned = turner?.turn(frame);
      const upright = turned ?? frame;
      // Crops the last odd row and column.
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

function plainColors({ colorSpace, colorRange }: Frame): Pick<ColorTags, 'colorSpace' | 'colorRange'> {
  return { colorSpace, colorRange: colorRange === AVCOL_RANGE_JPEG ? AVCOL_RANGE_MPEG : colorRange };
}
