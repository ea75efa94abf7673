import { LINEAR_OF_BYTE } from '../../pixels/color.ts';
import { randomNumbers } from '../backdrop/noise.ts';
import type { Scene } from '../scene/scene.ts';
import type { Layers } from './layers.ts';
import { openRelightPass, type RelightPass } from './relight-kernels.ts';
import type { Tones } from './tones.ts';

export interface Application {
  readonly layers: Layers;
  readonly scene: Scene;
  readonly tones: Tones;
  /** 1: the picture as it became; less: that much of the way from the original. */
  readonly share: number;
  /** Amplitude of what hides the steps of smooth gradients, in values. */
  readonly dither: number;
  readonly seed: number;
}

/** As many as the kernel reads: it begins at one of the first 8192 and takes four. */
const NOISE_LENGTH = 8195;

/** The pass over a picture of this width. */
export function openPass(width: number, application: Application): RelightPass {
  const { layers, scene, tones, share } = application;
  const { width: columns, height: rows, factor } = scene.overview;
  return openRelightPass(
    {
      layers: layers.values,
      linear: LINEAR_OF_BYTE,
      curve: tones.curve,
      compression: tones.compression,
      areaLight: tones.areaLight,
      noise: noiseTable(application),
    },
    {
      width,
      columns,
      rows,
      factor,
      keepsDetails: tones.keepsDetails,
      saturation: tones.saturation,
      detail: tones.detail,
      share,
      shadows: tones.shadows,
      highlights: tones.highlights,
    },
  );
}

/** One number a pixel: three would be specks of color, this is grain of film. */
function noiseTable({ dither, tones, seed }: Application): Float32Array {
  const random = randomNumbers(seed);
  const grain = tones.grain * 1.7;
  const noise = new Float32Array(NOISE_LENGTH);
  for (let at = 0; at < noise.length; at++) {
    noise[at] = (random() - 0.5) * dither + (random() + random() + random() - 1.5) * grain;
  }
  return noise;
}
