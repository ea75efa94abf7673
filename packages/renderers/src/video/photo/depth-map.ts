import type { Picture } from '../../pixels/picture.ts';
import { runningMean } from '../bloom.ts';
import { clamp, smoothstep } from '../curves.ts';

/** What is known of each place of a picture, on a coarse grid. Depth goes from 0, far, to 1, near. */
export interface DepthMap {
  readonly columns: number;
  readonly rows: number;
  readonly depth: Float32Array;
  /** How likely the place is open sky, 0 to 1. */
  readonly sky: Float32Array;
}

const COLUMNS = 160;

/**
 * A guess, from what photographs have in common: what is near is in the lower part and in the middle, stands out from the
 * edges of the picture, is sharp and rich in contrast; what is far is above, pale and smooth.
 */
export function estimateDepth(picture: Picture): DepthMap {
  const columns = COLUMNS;
  const rows = clamp(Math.round((COLUMNS * picture.height) / picture.width), 16, 480);
  const cells = shrink(picture, columns, rows);
  const size = { columns, rows };
  const detail = detailOf(cells.light, size);
  const sky = findSky(cells, detail, size);
  const contrast = distanceFromEdges(cells, size);
  const depth = new Float32Array(columns * rows);
  for (let row = 0, at = 0; row < rows; row++) {
    const down = (row + 0.5) / rows;
    for (let column = 0; column < columns; column++, at++) {
      const across = ((column + 0.5) / columns) * 2 - 1;
      const middle = Math.exp(-(across * across * 1.6 + (down - 0.56) ** 2 * 5));
      const pale =
        smoothstep(140, 235, cells.light[at] as number) *
        (1 - smoothstep(0.1, 0.4, cells.color[at] as number));
      const guess =
        0.28 * smoothstep(0.05, 1, down) +
        0.24 * middle +
        0.3 * (contrast[at] as number) * (0.35 + 0.65 * middle) +
        0.12 * (detail[at] as number) -
        0.1 * pale;
      depth[at] = guess * (1 - (sky[at] as number));
    }
  }
  normalise(depth);
  standUpright(depth, { contrast, sky }, size);
  // The silhouettes of the picture keep their edges; everything else becomes smooth.
  followEdges(depth, cells.light, size, Math.round(columns / 14));
  spreadNear(depth, size);
  blurMap(depth, size, 4);
  normalise(depth);
  blurMap(sky, size, 2);
  return { columns, rows, depth, sky };
}

interface GridSize {
  readonly columns: number;
  readonly rows: number;
}

interface Cells {
  readonly light: Float32Array;
  readonly red: Float32Array;
  readonly blue: Float32Array;
  /** How colorful, 0 to 1. */
  readonly color: Float32Array;
}

function shrink({ width, height, rgb }: Picture, columns: number, rows: number): Cells {
  const count = columns * rows;
  const cells = {
    light: new Float32Array(count),
    red: new Float32Array(count),
    blue: new Float32Array(count),
    color: new Float32Array(count),
  };
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at++) {
      const sums = [0, 0, 0];
      const samples = 3;
      for (let sample = 0; sample < samples * samples; sample++) {
        const x = Math.min(
          width - 1,
          Math.floor(((column + ((sample % samples) + 0.5) / samples) / columns) * width),
        );
        const y = Math.min(
          height - 1,
          Math.floor(((row + (Math.floor(sample / samples) + 0.5) / samples) / rows) * height),
        );
        for (let channel = 0; channel < 3; channel++) {
          sums[channel] =
            (sums[channel] as number) + (rgb[(y * width + x) * 3 + channel] as number) / (samples * samples);
        }
      }
      const [red = 0, green = 0, blue = 0] = sums;
      const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      cells.light[at] = light;
      cells.red[at] = red - light;
      cells.blue[at] = blue - light;
      const most = Math.max(red, green, blue);
      cells.color[at] = most > 0 ? (most - Math.min(red, green, blue)) / most : 0;
    }
  }
  return cells;
}

function detailOf(light: Float32Array, size: GridSize): Float32Array {
  const { columns, rows } = size;
  const detail = new Float32Array(light.length);
  for (let row = 1; row < rows - 1; row++) {
    for (let column = 1; column < columns - 1; column++) {
      const at = row * columns + column;
      const across = (light[at + 1] as number) - (light[at - 1] as number);
      const down = (light[at + columns] as number) - (light[at - columns] as number);
      detail[at] = clamp(Math.hypot(across, down) / 60);
    }
  }
  blurMap(detail, size, 4);
  return detail;
}

/** Smooth, and reached from the top edge without crossing an edge. */
function findSky(
  { light, blue, color }: Cells,
  detail: Float32Array,
  { columns, rows }: GridSize,
): Float32Array {
  const sky = new Float32Array(light.length);
  for (let column = 0; column < columns; column++) {
    let mean = light[column] as number;
    for (let row = 0; row < rows * 0.8; row++) {
      const at = row * columns + column;
      const here = light[at] as number;
      const isSmooth = (detail[at] as number) < 0.34 && Math.abs(here - mean) < 26;
      const isSkyLike =
        (blue[at] as number) > -8 ||
        here > 170 ||
        ((color[at] as number) < 0.25 && here > 60) ||
        row < rows * 0.25;
      if (!isSmooth || !isSkyLike) break;
      mean += (here - mean) * 0.2;
      sky[at] = 1;
    }
  }
  return sky;
}

/** How much a place differs from the colors along the left, right and upper edge, where the background shows. */
function distanceFromEdges({ light, red, blue }: Cells, { columns, rows }: GridSize): Float32Array {
  const samples: number[] = [];
  for (let row = 0; row < rows; row += 4) samples.push(row * columns + 1, row * columns + columns - 2);
  for (let column = 0; column < columns; column += 4) samples.push(columns + column);
  const result = new Float32Array(light.length);
  for (let at = 0; at < light.length; at++) {
    let nearest = Number.POSITIVE_INFINITY;
    let sum = 0;
    for (const edge of samples) {
      const distance =
        0.5 * Math.abs((light[at] as number) - (light[edge] as number)) +
        Math.abs((red[at] as number) - (red[edge] as number)) +
        Math.abs((blue[at] as number) - (blue[edge] as number));
      sum += distance;
      if (distance < nearest) nearest = distance;
    }
    result[at] = clamp((nearest * 1.5 + (sum / samples.length) * 0.6) / 110);
  }
  return result;
}

function normalise(map: Float32Array): void {
  const sorted = Float32Array.from(map).sort();
  const low = sorted[Math.floor(sorted.length * 0.02)] ?? 0;
  const high = sorted[Math.floor(sorted.length * 0.98)] ?? 1;
  const span = Math.max(1e-3, high - low);
  for (let at = 0; at < map.length; at++) map[at] = clamp(((map[at] as number) - low) / span);
}

/** What stands on the ground is as near as its foot, so that it does not lean when the camera moves. */
function standUpright(
  depth: Float32Array,
  { contrast, sky }: { readonly contrast: Float32Array; readonly sky: Float32Array },
  { columns, rows }: GridSize,
): void {
  for (let row = rows - 2; row >= 0; row--) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      const kept = 0.93 + 0.068 * smoothstep(0.25, 0.6, contrast[at] as number);
      const foot = (depth[at + columns] as number) * kept * (1 - (sky[at] as number));
      depth[at] = Math.max(depth[at] as number, foot);
    }
  }
}

/** A guided filter: the map becomes, around every place, a straight function of the picture's brightness. */
function followEdges(map: Float32Array, guide: Float32Array, size: GridSize, radius: number): void {
  const mean = (values: Float32Array): Float32Array => {
    blurMap(values, size, radius);
    return values;
  };
  const light = guide.map((value) => value / 255);
  const meanLight = mean(light.slice());
  const meanMap = mean(map.slice());
  const squares = mean(light.map((value) => value * value));
  const products = mean(light.map((value, at) => value * (map[at] as number)));
  const slope = new Float32Array(map.length);
  const level = new Float32Array(map.length);
  for (let at = 0; at < map.length; at++) {
    const variance = (squares[at] as number) - (meanLight[at] as number) ** 2;
    slope[at] =
      ((products[at] as number) - (meanLight[at] as number) * (meanMap[at] as number)) / (variance + 0.006);
    level[at] = (meanMap[at] as number) - (slope[at] as number) * (meanLight[at] as number);
  }
  mean(slope);
  mean(level);
  for (let at = 0; at < map.length; at++) {
    const followed = (slope[at] as number) * (light[at] as number) + (level[at] as number);
    map[at] = 0.55 * (meanMap[at] as number) + 0.45 * clamp(followed);
  }
}

/** What is near reaches a little beyond its edge, so that an outline moves with its inside. */
function spreadNear(map: Float32Array, { columns, rows }: GridSize): void {
  const source = map.slice();
  for (let row = 1; row < rows - 1; row++) {
    for (let column = 1; column < columns - 1; column++) {
      const at = row * columns + column;
      map[at] = Math.max(
        source[at] as number,
        source[at - 1] as number,
        source[at + 1] as number,
        source[at - columns] as number,
        source[at + columns] as number,
      );
    }
  }
}

function blurMap(map: Float32Array, { columns, rows }: GridSize, radius: number): void {
  const spare = new Float32Array(map.length);
  for (let pass = 0; pass < 2; pass++) {
    for (let row = 0; row < rows; row++) {
      runningMean(map, spare, { start: row * columns, step: 1, count: columns, radius });
    }
    for (let column = 0; column < columns; column++) {
      runningMean(spare, map, { start: column, step: columns, count: rows, radius });
    }
  }
}
