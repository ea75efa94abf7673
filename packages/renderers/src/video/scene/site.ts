import type { Camera } from '../camera.ts';
import { drawTexture } from '../draw-texture.ts';
import type { Planes, Size } from '../planes.ts';
import type { Random } from '../random.ts';
import type { Moment } from '../stage.ts';
import type { Texture } from '../texture.ts';
import type { Brief } from './brief.ts';
import type { Light } from './light.ts';
import { offsets } from './survey.ts';

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
  /** How far the camera looks beyond each edge of the frame at a depth, in pixels: as far textures have to go on. */
  room(depth: number): { readonly x: number; readonly y: number };
  /** Which way the camera goes, -1 or 1; 0 where it does not go to the side. */
  readonly way: -1 | 0 | 1;
  /** The camera goes along with what moves. */
  readonly isTracking: boolean;
  /** The camera is closest at the beginning, or at the end. */
  readonly opensUp: boolean;
  readonly isClosing: boolean;
  /** How long the film is. */
  readonly seconds: number;
}

/** What is seen of a scene at a time. */
export interface View extends Moment {
  readonly camera: Camera;
  /** What the camera heads for: it stays where it is when the camera comes closer. */
  readonly heading: Focus;
  /** Rows from here on will be covered by the ground; nothing needs to be drawn there. */
  readonly bottom?: number | undefined;
}

/** A place of a scene. */
export interface Focus {
  readonly x: number;
  readonly y: number;
}

/** Elements from the back to the front, and what is to be looked at, where there is such a thing. */
export interface Scene {
  readonly elements: readonly Element[];
  readonly focus?: Focus | undefined;
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

export function project(
  { size }: Pick<Site, 'size'>,
  { camera, heading }: Pick<View, 'camera' | 'heading'>,
  depth: number,
): Projection {
  const { scale, aside, up } = offsets(camera, depth);
  return {
    scale,
    left: heading.x * (1 - scale) - aside * size.width,
    top: heading.y * (1 - scale) - up * size.height,
  };
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
  const { scale, left, top } = project(site, view, board.depth);
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
      const { scale, top } = project(site, view, cover.depth);
      const bottom = Math.min(planes.height, Math.ceil((cover.row * scale + top) / 2) * 2 + 2);
      for (const element of elements) element.draw(planes, { ...view, bottom });
    },
  };
}
