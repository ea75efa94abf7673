import { type Size, softBlur } from '../../pixels/box-blur.ts';

/** Where a face seems to be: an ellipse in pixels. */
export interface Face {
  readonly x: number;
  readonly y: number;
  readonly radiusX: number;
  readonly radiusY: number;
}

const ROUNDS = 6;

/** The patch of skin nearest to the middle, if it has about the form and the size of a face and ends where a face would. */
export function findFace(skin: Float32Array, lightness: Float32Array, size: Size): Face | undefined {
  const { width, height } = size;
  const patches = softBlur(skin, size, Math.max(1, width / 40));
  let best = 0;
  let most = 0;
  for (let at = 0; at < patches.length; at++) {
    const offX = (at % width) / width - 0.5;
    const offY = at / width / height - 0.42;
    const score = (patches[at] ?? 0) * Math.exp(-(offX * offX) / 0.12 - (offY * offY) / 0.12);
    if (score <= most) continue;
    most = score;
    best = at;
  }
  if ((patches[best] ?? 0) < 0.3) return undefined;
  // Hair may have the hue of skin, but hardly its lightness too.
  const ofFace = softBlur(lightness, size, Math.max(1, width / 40))[best] ?? 0;
  const alike = skin.map((value, at) => value * Math.exp(-((((lightness[at] ?? 0) - ofFace) / 0.13) ** 2)));
  let face: Face = {
    x: best % width,
    y: Math.floor(best / width),
    radiusX: width * 0.1,
    radiusY: width * 0.12,
  };
  // Mean shift: the ellipse moves onto the skin around it and takes its extent.
  for (let round = 0; round < ROUNDS; round++) face = fitted(alike, size, face);
  const tall = face.radiusY / face.radiusX;
  const sized = face.radiusX > width * 0.04 && face.radiusX < width * 0.4;
  const ends = shareOf(alike, size, face, [0, 0.9]) - 1.8 * shareOf(alike, size, face, [1.2, 1.6]);
  return sized && tall > 0.85 && tall < 2 && ends > 0.15 ? face : undefined;
}

/** How much of a ring around the middle of the ellipse is skin; its radii are shares of those of the ellipse. */
function shareOf(
  skin: Float32Array,
  { width, height }: Size,
  face: Face,
  [inner, outer]: readonly [number, number],
): number {
  let sum = 0;
  let count = 1;
  for (let at = 0; at < skin.length; at++) {
    const x = at % width;
    const y = (at - x) / width;
    const off = Math.hypot((x - face.x) / face.radiusX, (y - face.y) / face.radiusY);
    // Below a face there is a neck.
    if (off < inner || off > outer || y > face.y + face.radiusY || y >= height) continue;
    sum += skin[at] ?? 0;
    count++;
  }
  return sum / count;
}

function fitted(skin: Float32Array, { width, height }: Size, face: Face): Face {
  const reachX = face.radiusX * 1.35;
  const reachY = face.radiusY * 1.35;
  let sum = 1e-6;
  let sumX = 0;
  let sumY = 0;
  let squareX = 0;
  let squareY = 0;
  for (let y = Math.max(0, Math.floor(face.y - reachY)); y < Math.min(height, face.y + reachY); y++) {
    for (let x = Math.max(0, Math.floor(face.x - reachX)); x < Math.min(width, face.x + reachX); x++) {
      if (((x - face.x) / reachX) ** 2 + ((y - face.y) / reachY) ** 2 > 1) continue;
      const weight = skin[y * width + x] ?? 0;
      sum += weight;
      sumX += weight * x;
      sumY += weight * y;
      squareX += weight * x * x;
      squareY += weight * y * y;
    }
  }
  const x = sumX / sum;
  const y = sumY / sum;
  return {
    x,
    y,
    radiusX: Math.max(2, 2 * Math.sqrt(Math.max(1, squareX / sum - x * x))),
    radiusY: Math.max(2, 2 * Math.sqrt(Math.max(1, squareY / sum - y * y))),
  };
}
