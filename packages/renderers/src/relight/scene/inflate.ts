import type { Size } from '../../pixels/box-blur.ts';
import { resizePlane } from '../field.ts';

const COARSEST = 12;
const FINEST = 112;
const SWEEPS = 24;

/**
 * Heights above the plane of the picture, in its longer edges, as if the mask were the outline of a balloon: a disc
 * becomes a ball. The square of the height solves Poisson's equation, from coarse to fine.
 */
export function inflate(mask: Float32Array, size: Size): Float32Array {
  const longer = Math.max(size.width, size.height);
  let level = sizeAt(size, Math.min(longer, COARSEST));
  let squares: Float32Array = new Float32Array(level.width * level.height);
  for (let edge = Math.min(longer, COARSEST); ; edge = Math.min(longer, FINEST, edge * 2)) {
    const next = sizeAt(size, edge);
    squares = resizePlane(squares, level, next);
    level = next;
    relax(squares, resizePlane(mask, size, level), level, 4 / edge ** 2);
    if (edge >= Math.min(longer, FINEST)) break;
  }
  return resizePlane(
    squares.map((square) => Math.sqrt(Math.max(0, square))),
    level,
    size,
  );
}

function sizeAt({ width, height }: Size, edge: number): Size {
  const scale = edge / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Gauss-Seidel. What is cut off by the border of the picture goes on beyond it. */
function relax(squares: Float32Array, mask: Float32Array, { width, height }: Size, rise: number): void {
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let y = 0, at = 0; y < height; y++) {
      const up = y > 0 ? -width : 0;
      const down = y < height - 1 ? width : 0;
      for (let x = 0; x < width; x++, at++) {
        const inside = mask[at] ?? 0;
        if (inside < 0.5) {
          squares[at] = 0;
          continue;
        }
        const left = x > 0 ? -1 : 0;
        const right = x < width - 1 ? 1 : 0;
        squares[at] =
          ((squares[at + left] ?? 0) +
            (squares[at + right] ?? 0) +
            (squares[at + up] ?? 0) +
            (squares[at + down] ?? 0) +
            rise) /
          4;
      }
    }
  }
}
