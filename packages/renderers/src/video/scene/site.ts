import type { Camera } from '../camera.ts';
import { lerp } from '../curves.ts';
import { drawTexture } from '../draw-texture.ts';
import type { Planes, Size } from '../planes.ts';
import type { Random } from '../random.ts';
import type { Moment } from '../stage.ts';
import type { Texture } from '../texture.ts';
import type { Brief } from './brief.ts';
import type { Light } from './light.ts';

/** How far textures go on beyond the frame, in parts of its width and height: as far as the camera may look. */
export const MARGIN = 0.11;

/** More pixels across are not painted, only enlarged: memory and time stay bounded. */
const WIDEST = 1920;

/** Where a scene is built. Places are in pixels of the frame as the camera sees it at rest. */
export interface Site {
  readonly size: Size;
  /** Pixels of a texture for one pixel of the frame. */
  readonly density: number;
  /** The row of the horizon. */
  readonly horizon: number;
  readonly brief: Brief;
  readonly light: Light;
  readonly seed: number;
  readonly random: Random;
  readonly isCel: boolean;
}

export function densityFor({ width, height }: Size): number {
  return Math.min(1, WIDEST / Math.max(width, height));
}

/** What is seen of a scene at a time. */
export interface View extends Moment {
  readonly camera: Camera;
  /** Rows from here on will be covered by the ground; nothing needs to be drawn there. */
  readonly bottom?: number | undefined;
}

/** A part of a scene; they are drawn from the back to the front. */
export interface Element {
  draw(planes: Planes, view: View): void;
}

export interface Board {
  readonly texture: Texture;
  /** Where its left upper corner is. */
  readonly left: number;
  readonly top: number;
  /** 0 at the end of the world, 1 just in front of the camera. */
  readonly depth: number;
  /** Soft things are painted with fewer pixels; 1 when absent. */
  readonly detail?: number | undefined;
}

/** How a depth is seen: what is at `x` appears at `x * scale + left`. */
export interface Projection {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

export function project({ size, horizon }: Site, camera: Camera, depth: number): Projection {
  const scale = 1 + (camera.zoom - 1) * lerp(0.3, 1.5, depth);
  const middle = size.width / 2;
  // Where the camera heads for: a little above the ground.
  const center = lerp(horizon, size.height / 2, 0.35);
  const aside = (camera.x * lerp(0.2, 1.2, depth) + camera.orbit * (depth - 0.35) * 1.7) * size.width;
  const up = camera.y * lerp(0.55, 1.15, depth) * size.height;
  return { scale, left: middle - middle * scale - aside, top: center - center * scale - up };
}

export interface BoardOptions {
  /** Its own movement, in pixels of the frame. */
  readonly dx?: number | undefined;
  readonly dy?: number | undefined;
  readonly opacity?: number | undefined;
  readonly sway?: Float32Array | undefined;
}

export function drawBoard(
  planes: Planes,
  site: Site,
  board: Board,
  view: View,
  options: BoardOptions = {},
): void {
  const { scale, left, top } = project(site, view.camera, board.depth);
  const { dx = 0, dy = 0, opacity, sway } = options;
  drawTexture(planes, board.texture, {
    left: (board.left + dx) * scale + left,
    top: (board.top + dy) * scale + top,
    scale: scale / (site.density * (board.detail ?? 1)),
    opacity,
    sway,
    bottom: view.bottom,
  });
}

/** The size in pixels of a texture for that many of the frame; even. */
export function textureSize({ density }: Pick<Site, 'density'>, { width, height }: Size): Size {
  return {
    width: Math.max(2, Math.ceil((width * density) / 2) * 2),
    height: Math.max(2, Math.ceil((height * density) / 2) * 2),
  };
}

/** Where the ground covers everything, nothing behind it is drawn. */
export function behind(
  site: Site,
  cover: { readonly row: number; readonly depth: number },
  elements: readonly Element[],
): Element {
  return {
    draw(planes, view) {
      const { scale, top } = project(site, view.camera, cover.depth);
      const bottom = Math.min(planes.height, Math.ceil((cover.row * scale + top) / 2) * 2 + 2);
      for (const element of elements) element.draw(planes, { ...view, bottom });
    },
  };
}
