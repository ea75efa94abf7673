import type { Camera } from '../camera.ts';
import { drawTexture } from '../draw-texture.ts';
import type { Planes, Size } from '../planes.ts';
import type { Random } from '../random.ts';
import type { Moment } from '../stage.ts';
import type { Texture } from '../texture.ts';
import type { Light } from './light.ts';
import type { Brief } from './read-prompt.ts';
import { offsets } from './survey.ts';

/** Where a scene is built. Places are in pixels of the frame as the camera sees it at rest. */
export interface Site {
  readonly size: Size;
  /** Pixels of a texture per pixel of the frame. */
  readonly density: number;
  /** The row of the horizon. */
  readonly horizon: number;
  readonly brief: Brief;
  readonly light: Light;
  readonly seed: number;
  readonly random: Random;
  /** How far textures at a depth must reach beyond each edge of the frame, in pixels. */
  room(depth: number): { readonly x: number; readonly y: number };
}

export interface View extends Moment {
  readonly camera: Camera;
  /** The point that stays in place when the camera comes closer. */
  readonly heading: { readonly x: number; readonly y: number };
  /** The ground will cover rows from here on, so they are not drawn. */
  readonly bottom?: number | undefined;
}

/** A part of a scene. Parts are drawn from the back to the front. */
export interface Element {
  draw(planes: Planes, view: View): void;
}

export interface Board {
  readonly texture: Texture;
  /** Its left upper corner. */
  readonly left: number;
  readonly top: number;
  /** 0 at the horizon, 1 just in front of the camera. */
  readonly depth: number;
  /** Pixels relative to the density of the site, less for soft things. Absent: 1. */
  readonly detail?: number | undefined;
}

/** A point at `x` appears at `x * scale + left`. */
export function project(
  { size }: Pick<Site, 'size'>,
  { camera, heading }: Pick<View, 'camera' | 'heading'>,
  depth: number,
) {
  const { scale, aside, up } = offsets(camera, depth);
  return {
    scale,
    left: heading.x * (1 - scale) - aside * size.width,
    top: heading.y * (1 - scale) - up * size.height,
  };
}

/** `dx` is the board's own movement, in pixels of the frame. */
export function drawBoard(planes: Planes, site: Site, board: Board, view: View, dx = 0): void {
  const { scale, left, top } = project(site, view, board.depth);
  drawTexture(planes, board.texture, {
    left: (board.left + dx) * scale + left,
    top: board.top * scale + top,
    scale: scale / (site.density * (board.detail ?? 1)),
    bottom: view.bottom,
  });
}

export function standing(site: Site, board: Board): Element {
  return { draw: (planes, view) => drawBoard(planes, site, board, view) };
}

/** In pixels of the texture; even. */
export function textureSize(density: number, { width, height }: Size): Size {
  return {
    width: Math.max(2, Math.ceil((width * density) / 2) * 2),
    height: Math.max(2, Math.ceil((height * density) / 2) * 2),
  };
}

/** Does not draw what the ground will cover. */
export function behind(
  site: Site,
  cover: { readonly row: number; readonly depth: number },
  elements: readonly Element[],
): Element {
  return {
    draw(planes, view) {
      const { scale, top } = project(site, view, cover.depth);
      const bottom = Math.min(planes.height, Math.ceil((cover.row * scale + top) / 2) * 2 + 2);
      for (const element of elements) element.draw(planes, { ...view, bottom });
    },
  };
}
