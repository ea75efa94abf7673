import {
  AV_FRAME_DATA_DISPLAYMATRIX,
  AV_PIX_FMT_GBRPF32LE,
  AV_PIX_FMT_PAL8,
  AV_PIX_FMT_RGB24,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUVJ420P,
  AV_PIX_FMT_YUVJ422P,
  AV_PIX_FMT_YUVJ444P,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_UNSPECIFIED,
  type AVPixelFormat,
} from 'node-av/constants';
import { avGetPixFmtName, Frame, SoftwareScaleContext } from 'node-av/lib';
import type { PixelSize } from '../image/resize/pillow-resize.ts';
import { interleaveFloats, spreadBytes, type Turns } from '../video/kernels/planes.ts';
import { check } from './ffmpeg.ts';

/** Formats with 8-bit RGB. All others are converted in floating point. */
const BYTE_FORMATS: ReadonlySet<number> = new Set([
  AV_PIX_FMT_YUVJ420P,
  AV_PIX_FMT_YUVJ422P,
  AV_PIX_FMT_YUVJ444P,
  AV_PIX_FMT_RGB24,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_PAL8,
]);

/** Hides primaries and transfer, so that numbers stay the same: a conversion of light would be slow and change colors. */
const NO_LIGHT = { colorPrimaries: AVCOL_PRI_UNSPECIFIED, colorTrc: AVCOL_TRC_UNSPECIFIED };

export type PixelConverter = ReturnType<typeof createPixelConverter>;

/** Changes pixel formats, by the color matrix and range of both frames. */
export function createPixelConverter() {
  const scaler = new SoftwareScaleContext();
  scaler.allocContext();
  // Otherwise the result depends on the processor and on the memory next to the picture.
  check(scaler.setOption('sws_flags', 'bilinear+bitexact'), 'Setting up the pixel conversion');
  return {
    convert(target: Frame, source: Frame): void {
      const kept = [target, source].map(({ colorPrimaries, colorTrc }) => ({ colorPrimaries, colorTrc }));
      for (const frame of [target, source]) Object.assign(frame, NO_LIGHT);
      const code = scaleFrame(scaler, target, source);
      [target, source].forEach((frame, index) => Object.assign(frame, kept[index]));
      check(code, 'Converting pixels');
    },
    [Symbol.dispose]() {
      scaler.freeContext();
    },
  };
}

/** Treats an unknown matrix as none. */
function scaleFrame(scaler: SoftwareScaleContext, target: Frame, source: Frame): number {
  const code = scaler.scaleFrameSync(target, source);
  if (code >= 0) return code;
  source.colorSpace = AVCOL_SPC_UNSPECIFIED;
  return scaler.scaleFrameSync(target, source);
}

export function newFrame(format: AVPixelFormat, { width, height }: PixelSize): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.format = format;
  frame.width = width;
  frame.height = height;
  return frame;
}

export type PictureReader = ReturnType<typeof createPictureReader>;

/** Reads decoded frames as RGB floats, `[height, width, 3]`, rotated upright. */
export function createPictureReader() {
  const converter = createPixelConverter();
  return {
    sizeOf(frame: Frame): PixelSize {
      const { width, height } = frame;
      return turnsOf(frame) % 2 === 1 ? { width: height, height: width } : { width, height };
    },
    read(frame: Frame, target: Float32Array): void {
      const asBytes = BYTE_FORMATS.has(frame.format);
      const size = { width: frame.width, height: frame.height };
      const turns = turnsOf(frame);
      using rgb = newFrame(asBytes ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_GBRPF32LE, size);
      check(rgb.getBuffer(), 'Making room for a frame');
      converter.convert(rgb, frame);
      const [first, second, third] = rgb.data ?? [];
      const [stride = 0] = rgb.linesize;
      if (asBytes && first) spreadBytes({ data: first, stride }, target, { size, turns });
      else if (first && second && third) {
        const planes = { green: floatsOf(first), blue: floatsOf(second), red: floatsOf(third) };
        interleaveFloats(planes, stride / 4, target, { size, turns });
      }
    },
    [Symbol.dispose]() {
      converter[Symbol.dispose]();
    },
  };
}

function floatsOf({ buffer, byteOffset, byteLength }: Buffer): Float32Array {
  return new Float32Array(buffer, byteOffset, byteLength >> 2);
}

/** Quarter turns counterclockwise that make the picture upright. */
export function turnsOf(frame: Frame): Turns {
  const matrix = frame.getSideData(AV_FRAME_DATA_DISPLAYMATRIX);
  if (!matrix || matrix.length < 36) return 0;
  const at = (index: number): number => matrix.readInt32LE(index * 4);
  const [x, y] = [Math.hypot(at(0), at(3)), Math.hypot(at(1), at(4))];
  if (x === 0 || y === 0) return 0;
  const degrees = Math.round((-Math.atan2(at(1) / y, at(0) / x) * 180) / Math.PI);
  const quarters = Math.floor(degrees / 90);
  const turns = ((quarters % 4) + 4) % 4;
  return turns === 1 || turns === 2 || turns === 3 ? turns : 0;
}

/** Bits of one component. */
export function bitDepthOf(format: AVPixelFormat): number {
  const name = avGetPixFmtName(format) ?? '';
  if (/f32(?:le|be)$/.test(name)) return 32;
  if (/(?:48|64|f16)(?:le|be)$/.test(name)) return 16;
  return Number(/(?:p[024]?|gray|ya)(9|10|12|14|16)(?:le|be)$/.exec(name)?.[1] ?? 8);
}
