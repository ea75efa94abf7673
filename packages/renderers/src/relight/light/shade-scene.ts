import { softBlur } from '../../pixels/box-blur.ts';
import { luminance } from '../../pixels/color.ts';
import { CHANNELS, clamp, createPlanes, meanWithin, type Planes, smoothstep } from '../field.ts';
import type { Scene } from '../scene/scene.ts';
import type { Light, LightPlan } from './light-plan.ts';

/** The light that falls on every part of a scene, on the subject and on what is behind it. */
export interface LightField {
  readonly subject: Planes;
  readonly background: Planes;
  /** Light along the edges of the subject; it shines on whatever color is there. */
  readonly rim: Planes;
}

/** In longer edges of the picture. */
const DISTANCE = 1.15;
const BEHIND = -0.3;
/** The background is a little farther from the lamps. */
const FARTHER = 0.85;

interface Lamp extends Light {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Lambert's law with a wide source, falloff with the distance, and what is lit from behind along its outline. */
export function shadeScene(plan: LightPlan, scene: Scene): LightField {
  const { width, height } = scene.overview;
  const longer = Math.max(width, height);
  const center = centerOf(scene);
  const lamps = plan.lights.map((light): Lamp => {
    const [x, y, z] = light.from;
    return { ...light, x: center.x + x * DISTANCE, y: center.y + y * DISTANCE, z: 0.15 + z * DISTANCE };
  });
  const field = {
    subject: createPlanes(width * height),
    background: createPlanes(width * height),
    rim: createPlanes(width * height),
  };
  addAmbient(field, plan, scene);
  for (const lamp of lamps) {
    const cast = castShadow(lamp, plan.softness, scene);
    for (let row = 0, at = 0; row < height; row++) {
      const y = row / longer;
      for (let column = 0; column < width; column++, at++) {
        const x = column / longer;
        addTo(field.subject, at, lamp, onSubject(lamp, plan.softness, scene, at, x, y));
        addTo(field.background, at, lamp, onBackground(lamp, x, y) * (1 - (cast[at] ?? 0)));
      }
    }
    if (lamp.rim > 0) addRim(field.rim, lamp, plan.softness, scene);
  }
  normalise(field, scene);
  return field;
}

function centerOf({ overview: { width, height }, matte }: Scene): { x: number; y: number } {
  const longer = Math.max(width, height);
  let sumX = 0;
  let sumY = 0;
  let share = 1e-6;
  for (let at = 0; at < matte.values.length; at += 7) {
    const weight = matte.values[at] ?? 0;
    sumX += weight * (at % width);
    sumY += weight * Math.floor(at / width);
    share += weight;
  }
  return { x: sumX / share / longer, y: sumY / share / longer };
}

function addAmbient({ subject, background }: LightField, { ambient }: LightPlan, { shape }: Scene): void {
  for (let at = 0; at < shape.open.length; at++) {
    // What faces up sees more of the sky.
    const open = (shape.open[at] ?? 1) * (0.92 - 0.16 * (shape.y[at] ?? 0));
    subject.red[at] = ambient[0] * open;
    subject.green[at] = ambient[1] * open;
    subject.blue[at] = ambient[2] * open;
    background.red[at] = ambient[0];
    background.green[at] = ambient[1];
    background.blue[at] = ambient[2];
  }
}

function addTo({ red, green, blue }: Planes, at: number, { color }: Lamp, amount: number): void {
  red[at] = (red[at] ?? 0) + color[0] * amount;
  green[at] = (green[at] ?? 0) + color[1] * amount;
  blue[at] = (blue[at] ?? 0) + color[2] * amount;
}

function onSubject(lamp: Lamp, softness: number, { shape }: Scene, at: number, x: number, y: number): number {
  const toX = lamp.x - x;
  const toY = lamp.y - y;
  const toZ = lamp.z - (shape.height[at] ?? 0);
  const distance = Math.sqrt(toX * toX + toY * toY + toZ * toZ);
  const facing = ((shape.x[at] ?? 0) * toX + (shape.y[at] ?? 0) * toY + (shape.z[at] ?? 0) * toZ) / distance;
  const wrap = 0.12 + 0.5 * softness;
  const lit = clamp((facing + wrap) / (1 + wrap), 0, 1);
  // A small source has a hard terminator.
  const edged = lit * softness + smoothstep(0.08, 0.62, lit) * lit * (1 - softness) * 1.25;
  return lamp.power * edged * (DISTANCE / distance) ** 1.7 * (0.35 + 0.65 * (shape.open[at] ?? 1));
}

/** A wall that faces the viewer. A lamp behind the subject is seen on it. */
function onBackground(lamp: Lamp, x: number, y: number): number {
  const toX = lamp.x - x;
  const toY = lamp.y - y;
  const toZ = lamp.z - BEHIND;
  if (lamp.from[2] < 0) return lamp.power * (0.25 + 1.1 * Math.exp(-(toX * toX + toY * toY) / 0.5));
  const distance = Math.sqrt(toX * toX + toY * toY + toZ * toZ);
  return lamp.power * clamp(0.35 + 0.65 * (toZ / distance), 0, 1) * (DISTANCE / distance) ** 2.2 * 1.25;
}

/** The subject's shadow on what is behind it: its outline, moved away from the lamp. */
function castShadow(lamp: Lamp, softness: number, { overview, matte, confidence }: Scene): Float32Array {
  const { width, height } = overview;
  const shadow = new Float32Array(width * height);
  const depth = confidence * 0.5 * (1 - softness);
  if (lamp.from[2] <= 0 || depth < 0.02) return shadow;
  const longer = Math.max(width, height);
  const moveX = Math.round(lamp.from[0] * longer * 0.07);
  const moveY = Math.round(lamp.from[1] * longer * 0.05);
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.min(height - 1, Math.max(0, y + moveY)) * width;
    for (let x = 0; x < width; x++, at++)
      shadow[at] = depth * (matte.values[row + Math.min(width - 1, Math.max(0, x + moveX))] ?? 0);
  }
  return softBlur(shadow, overview, longer * (0.012 + 0.05 * softness));
}

/** The outer band of the subject where its outline faces the lamp. */
function addRim(rim: Planes, lamp: Lamp, softness: number, { overview, matte, shape }: Scene): void {
  const { width, height } = overview;
  const longer = Math.max(width, height);
  const inner = softBlur(matte.values, overview, longer * (0.008 + 0.012 * softness));
  const flat = Math.max(0.15, Math.hypot(lamp.from[0], lamp.from[1]));
  const all = lamp.from[2] < -0.6 ? 0.35 : 0;
  for (let row = 0, at = 0; row < height; row++) {
    const up = row > 0 ? -width : 0;
    const down = row < height - 1 ? width : 0;
    for (let column = 0; column < width; column++, at++) {
      const band = (matte.values[at] ?? 0) * (1 - (inner[at] ?? 0)) * 2;
      if (band <= 0.02) continue;
      const outX = (inner[at + (column > 0 ? -1 : 0)] ?? 0) - (inner[at + (column < width - 1 ? 1 : 0)] ?? 0);
      const outY = (inner[at + up] ?? 0) - (inner[at + down] ?? 0);
      const length = Math.hypot(outX, outY) + 1e-4;
      const faces = clamp(
        ((outX * lamp.from[0] + outY * lamp.from[1]) / (length * flat)) * 0.8 + 0.2 + all,
        0,
        1,
      );
      const turned = 0.4 + 0.6 * (1 - (shape.z[at] ?? 1));
      addTo(rim, at, lamp, lamp.power * lamp.rim * smoothstep(0.05, 0.95, band) * faces * turned);
    }
  }
}

/** Subject and background as a whole get as much light as before: how bright they shall be is the exposure's affair. */
function normalise({ subject, background, rim }: LightField, { matte, confidence }: Scene): void {
  const factor = levelling(subject, matte.values);
  const around = new Float32Array(matte.values.length);
  for (let at = 0; at < around.length; at++) around[at] = 1 - (matte.values[at] ?? 0);
  const behind = confidence === 0 ? factor : FARTHER * levelling(background, around);
  for (const channel of CHANNELS) {
    scale(subject[channel], factor);
    scale(background[channel], behind);
    scale(rim[channel], Math.min(factor, 1.6));
  }
}

function levelling({ red, green, blue }: Planes, weights: Float32Array): number {
  const stops = new Float32Array(red.length);
  for (let at = 0; at < stops.length; at++)
    stops[at] = Math.log2(0.01 + luminance(red[at] ?? 0, green[at] ?? 0, blue[at] ?? 0));
  return 2 ** -meanWithin(stops, weights);
}

function scale(plane: Float32Array, factor: number): void {
  for (let at = 0; at < plane.length; at++) plane[at] = (plane[at] ?? 0) * factor;
}
