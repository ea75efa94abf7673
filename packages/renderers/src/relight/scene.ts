import { LINEAR_OF_BYTE } from '../pixels/color.ts';
import { type GuidedCoefficients, guidedCoefficients } from '../pixels/guided-filter.ts';
import { type Picture, reduced } from '../pixels/picture.ts';
import { mapValues, type Planes, type Size, softBlur } from '../pixels/planes.ts';
import { findSkin } from '../skin/find-skin.ts';
import { enclosedBy } from '../skin/regions.ts';
import { smallPlanes } from '../skin/small-planes.ts';
import { findSubject, type Subject } from './find-subject.ts';

/** What is known about a picture before it is relit, at reduced size. */
export interface Scene extends Size {
  /** In linear light, 0 to 1. */
  readonly light: Planes;
  /** Brightness of the sRGB values, 0 to 1. */
  readonly tone: Float32Array;
  /** The brightness without details: at any pixel `slope * brightness + offset`. */
  readonly base: GuidedCoefficients;
  /** `undefined` when it cannot be separated with confidence. */
  readonly subject: Subject | undefined;
  /** 1 on skin, with very soft edges. */
  readonly skin: Float32Array;
  readonly form: Form;
}

/** Which way the subject or the faces turn, roughly and without edges: right and down, about -1 to 1. */
interface Form {
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Of the subject or the faces, in pixels. */
  readonly center: readonly [x: number, y: number];
}

const EDGE = 256;

export async function readScene(picture: Picture): Promise<Scene> {
  const small = await reduced(picture, EDGE);
  const { width, height } = small;
  const size = { width, height };
  const longer = Math.max(width, height);
  const ycc = smallPlanes(small, picture.width / width);
  const tone = ycc.luma.map((value) => value / 255);
  const skin = findSkin(ycc);
  const subject = findSubject(
    mapValues(small.planes, (value) => value / 255),
    size,
  );
  const body = subject?.matte ?? (skin === undefined ? undefined : enclosedBy(skin.mask, size));
  return {
    ...size,
    light: mapValues(small.planes, (value) => LINEAR_OF_BYTE[Math.round(value)] ?? 0),
    tone,
    base: guidedCoefficients(tone, tone, size, {
      radius: Math.max(1, Math.round(longer / 42)),
      epsilon: 0.012,
    }),
    subject,
    skin: softBlur(skin?.mask ?? new Float32Array(tone.length), size, longer / 40),
    form: formOf(body, size),
  };
}

/** Treats a body as a dome, blurred by a good part of its size so that its shading has no outline. */
function formOf(body: Float32Array | undefined, { width, height }: Size): Form {
  const none = new Float32Array(width * height);
  if (body === undefined) return { x: none, y: none, center: [width / 2, height / 2] };
  let [area, sumX, sumY] = [1e-6, 0, 0];
  for (let at = 0; at < body.length; at++) {
    const weight = body[at] ?? 0;
    area += weight;
    sumX += weight * (at % width);
    sumY += weight * Math.floor(at / width);
  }
  const across = Math.max(3, Math.sqrt(area));
  const dome = softBlur(body, { width, height }, across * 0.3);
  const slope = (at: number, before: number, after: number): number =>
    ((dome[before] ?? dome[at] ?? 0) - (dome[after] ?? dome[at] ?? 0)) * across * 0.55;
  return {
    x: none.map((_, at) => slope(at, at % width > 0 ? at - 1 : at, at % width < width - 1 ? at + 1 : at)),
    y: none.map((_, at) => slope(at, at - width, at + width)),
    center: [sumX / area, sumY / area],
  };
}
