import type { Picture } from '../../pixels/picture.ts';
import { type Camera, type CameraPlan, cameraAt } from '../camera.ts';
import { clamp, lerp, smoothstep } from '../curves.ts';
import { noiseAlong } from '../noise.ts';
import { createParticles, type ParticleKind, type Particles } from '../particles/particles.ts';
import type { Size } from '../planes.ts';
import { type Random, seededRandom } from '../random.ts';
import { type Rgb, rgb } from '../rgb.ts';
import type { Moment, Stage } from '../stage.ts';
import { type DepthMap, estimateDepth } from './depth-map.ts';
import { findLife, type Life } from './photo-life.ts';
import { createPhotoSource } from './photo-source.ts';
import { CELL, newGrid, type WarpGrid, warp } from './warp.ts';

export interface PhotoSettings {
  readonly size: Size;
  readonly prompt: string;
  readonly seed: number;
  readonly plan: CameraPlan;
}

/** A still picture that the camera moves through. Its first frame is the picture itself. */
export function createPhotoStage(picture: Picture, settings: PhotoSettings): Stage {
  const { size, plan, seed } = settings;
  const source = createPhotoSource(picture, size);
  const depth = estimateDepth(picture);
  const grid = newGrid(size);
  const life = findLife(settings.prompt);
  const random = seededRandom(seed, 'photo');
  const lightSeed = Math.floor(random() * 2 ** 30);
  const overlays = createOverlays(life, size, random);
  return {
    look: { vignette: 0.2, bloom: 0.25, contrast: 1.06, saturation: 1.04, cel: false },
    lookAt: ({ seconds }) => smoothstep(0, 1.2, seconds),
    draw(planes, moment) {
      const camera = photoCamera(plan, moment);
      fillGrid(grid, { depth, size, camera, life, moment, amount: plan.amount, seed: lightSeed });
      warp(planes, source, grid);
      const strength = smoothstep(0, 0.8, moment.seconds);
      if (strength === 0) return;
      const view = { seconds: moment.seconds, strength, shiftX: -camera.x, shiftY: -camera.y };
      for (const overlay of overlays) overlay(planes, view);
    },
  };
}

/** A picture ends at its edges and knows nothing behind its things: a camera moves less in it than in a scene. */
interface PhotoCamera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
  readonly orbit: number;
}

/** The start frame is where every move begins, also one that goes back. */
function photoCamera(plan: CameraPlan, { progress, seconds }: Moment): PhotoCamera {
  const camera = cameraAt(plan, progress, seconds);
  const first = cameraAt(plan, 0, 0);
  const closeness = ({ lens, forward }: Camera): number => (lens - 1 + forward) * 0.34;
  const begun = closeness(first);
  const zoom = begun > 0 ? 1 - (begun - closeness(camera)) * 0.4 : 1 + closeness(camera);
  const x = (camera.turnX + camera.travelX) * 0.24;
  const y = (camera.turnY + camera.travelY) * 0.26;
  const orbit = camera.orbit * 0.14;
  // What a move to the side would show beyond the edge is pushed out by coming closer.
  const closer = 1 + Math.abs(x) * 0.8 + Math.abs(y) * 0.8 + Math.abs(orbit) * 0.5;
  return { x, y, orbit, zoom: zoom * closer };
}

interface GridSettings {
  readonly depth: DepthMap;
  readonly size: Size;
  readonly camera: PhotoCamera;
  readonly life: Life;
  readonly moment: Moment;
  readonly amount: number;
  readonly seed: number;
}

function fillGrid(grid: WarpGrid, settings: GridSettings): void {
  const { size, moment, seed, life } = settings;
  const { seconds } = moment;
  const grown = smoothstep(0, 1.5, seconds);
  const drift = seconds * 0.045;
  for (let row = 0, at = 0; row < grid.rows; row++) {
    const y = Math.min(size.height, row * CELL);
    for (let column = 0; column < grid.columns; column++, at++) {
      const x = column * CELL;
      const u = x / size.width;
      const v = y / size.height;
      const place = look(u, v, settings, grown);
      grid.x[at] = softly(place.u, u) * size.width;
      grid.y[at] = softly(place.v, v) * size.height + (row * CELL - y);
      const light =
        noiseAlong((u + 0.35 * v) * 1.7 - drift * 2.2, seed) * 0.045 +
        noiseAlong((v - 0.4 * u) * 1.9 + drift, seed + 3) * 0.025;
      const flicker = life.flicker * 0.05 * noiseAlong(seconds * 7, seed + 5);
      grid.gain[at] = 1 + (light + flicker) * grown;
    }
  }
}

/** Which place of the picture is seen at a place of the frame; both go from 0 to 1. */
function look(u: number, v: number, settings: GridSettings, grown: number): { u: number; v: number } {
  const { depth, camera, life, moment, amount, size } = settings;
  let fromU = u;
  let fromV = v;
  // What is seen here decides how far it has moved, and so where to look: the second look is close enough.
  for (let pass = 0; pass < 3; pass++) {
    const near = readMap(depth, depth.depth, fromU, fromV);
    const zoom = 1 + (camera.zoom - 1) * lerp(0.62, 1.32, near);
    const aside = camera.x * lerp(0.3, 1.15, near) + camera.orbit * (near - 0.42) * 1.15;
    const up = camera.y * lerp(0.3, 1.15, near);
    fromU = 0.5 + (u - 0.5) / zoom + aside;
    fromV = 0.52 + (v - 0.52) / zoom + up;
  }
  const near = readMap(depth, depth.depth, fromU, fromV);
  const sky = readMap(depth, depth.sky, fromU, fromV);
  const { seconds } = moment;
  const edge = Math.min(1, 8 * Math.min(u, 1 - u, v, 1 - v));
  const wave = life.sway * grown * edge * smoothstep(0.12, 0.5, near) * (1 - sky);
  const swayU =
    wave *
    0.0016 *
    (Math.sin(seconds * 1.9 + fromU * 21 + fromV * 9) +
      0.6 * Math.sin(seconds * 3.1 + fromV * 33 - fromU * 12));
  const ripple = life.ripple * grown * edge * smoothstep(0.5, 0.8, fromV);
  const reach = fromV * 70 + Math.sin(fromU * 9) * 2;
  const rippleU = ripple * 0.0022 * Math.sin(seconds * 2.2 + reach + fromU * 11);
  const rippleV = ripple * 0.0026 * Math.sin(seconds * 1.7 + reach * 0.8 - fromU * 7);
  const breath = grown * edge * 0.0011 * Math.sin(seconds * 1.25) * near * Math.min(1.4, amount);
  const clouds = sky * edge * life.clouds * seconds * 0.0045 * Math.min(1.5, amount);
  return {
    u: fromU + swayU + rippleU - clouds + breath * (0.5 - u),
    v: fromV + rippleV + breath * (0.6 - v) * (size.width / size.height),
  };
}

/** How far beyond the edge can be looked, and how gently it is stopped there. */
const BEYOND = 0.065;

function softly(place: number, own: number): number {
  // Frames that look nowhere beyond the edge are not touched.
  if (place >= 0 && place <= 1) return place;
  const over = place < 0 ? -place : place - 1;
  const kept = BEYOND * (1 - Math.exp(-over / BEYOND));
  const held = place < 0 ? -kept : 1 + kept;
  return own < 0 || own > 1 ? place : held;
}

function readMap({ columns, rows }: DepthMap, map: Float32Array, u: number, v: number): number {
  const x = clamp(u * columns - 0.5, 0, columns - 1.001);
  const y = clamp(v * rows - 0.5, 0, rows - 1.001);
  const left = Math.floor(x);
  const above = Math.floor(y);
  const at = above * columns + left;
  const upper = lerp(map[at] as number, map[at + 1] as number, x - left);
  return lerp(upper, lerp(map[at + columns] as number, map[at + columns + 1] as number, x - left), y - above);
}

const OVERLAY_COLORS: Readonly<Record<ParticleKind, readonly [Rgb, ...Rgb[]]>> = {
  dust: [rgb('#ffe9c4'), rgb('#fff4e0')],
  snow: [rgb('#f4f8ff')],
  rain: [rgb('#c8d4e0')],
  embers: [rgb('#ff9c3a'), rgb('#ffc766'), rgb('#ff6a2a')],
  fireflies: [rgb('#d8ff6a'), rgb('#ffe98a')],
  petals: [rgb('#ffc4d6'), rgb('#ffe0ea'), rgb('#f7a3bf')],
  leaves: [rgb('#c8702a'), rgb('#d99a3a'), rgb('#a8451f')],
  bubbles: [rgb('#cfefff')],
  sparkles: [rgb('#ffffff'), rgb('#ffe9b0')],
};

function createOverlays(life: Life, size: Size, random: Random): readonly Particles[] {
  return life.particles.map((kind) =>
    createParticles(size, {
      kind,
      density: kind === 'dust' ? 0.7 : 0.8,
      wind: kind === 'rain' ? 0.08 : 0.02,
      colors: OVERLAY_COLORS[kind],
      random,
    }),
  );
}
