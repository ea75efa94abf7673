import { softBlur } from '../../pixels/box-blur.ts';
import { type GuidedCoefficients, guidedCoefficients } from '../../pixels/guided-filter.ts';
import type { Picture } from '../../pixels/picture.ts';
import type { Face } from './face.ts';
import { findGround } from './find-ground.ts';
import { findSubject } from './find-subject.ts';
import { type Overview, overviewOf } from './overview.ts';
import { type Shape, shapeOf } from './shape.ts';
import { skinLikeness } from './skin.ts';
import { type Matte, matteOf } from './subject-matte.ts';

/** All that is known about a picture before light is laid over it, at the size of the overview. */
export interface Scene {
  readonly overview: Overview;
  /** Brightness of the sRGB values, 0 to 1. */
  readonly tone: Float32Array;
  /** The brightness without details, at any pixel `slope * brightness + offset`. */
  readonly base: GuidedCoefficients;
  readonly matte: Matte;
  /** 0: no subject can be told from the rest, and the matte is 1 everywhere. */
  readonly confidence: number;
  readonly face: Face | undefined;
  readonly skin: Float32Array;
  readonly shape: Shape;
  /** 1 on what the subject stands on. */
  readonly ground: Float32Array;
}

const BASE_EPSILON = 0.012;

export function readScene(picture: Picture): Scene {
  const overview = overviewOf(picture);
  const longer = Math.max(overview.width, overview.height);
  const tone = toneOf(overview);
  const skin = skinLikeness(overview);
  const { mask, confidence, face } = findSubject(overview, skin);
  const matte = matteOf(overview, mask);
  const radius = Math.max(1, Math.round(longer / 42));
  return {
    overview,
    tone,
    base: guidedCoefficients(tone, tone, overview, { radius, epsilon: BASE_EPSILON }),
    matte,
    confidence,
    face,
    skin: softBlur(within(skin, matte.values), overview, longer / 90),
    shape: shapeOf({ mask, tone, face }, overview),
    ground: findGround(overview, matte.values, confidence),
  };
}

function toneOf({ tone: { red, green, blue } }: Overview): Float32Array {
  const tone = new Float32Array(red.length);
  for (let at = 0; at < tone.length; at++) {
    tone[at] = 0.3008 * (red[at] ?? 0) + 0.5859 * (green[at] ?? 0) + 0.1133 * (blue[at] ?? 0);
  }
  return tone;
}

function within(plane: Float32Array, mask: Float32Array): Float32Array {
  return plane.map((value, at) => value * (mask[at] ?? 0));
}
