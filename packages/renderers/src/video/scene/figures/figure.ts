import { clamp } from '../../curves.ts';
import { drawTexture } from '../../draw-texture.ts';
import type { Planes } from '../../planes.ts';
import { seededRandom } from '../../random.ts';
import { hex, mix, rgb } from '../../rgb.ts';
import type { Subject } from '../brief.ts';
import { SHAPES, type Shape } from '../shapes.ts';
import { project, type Site, type View } from '../site.ts';
import { type Pose, paintPose } from './paint-figure.ts';

/** The pictures of a subject's movement, drawn in the light of a scene. */
export interface Figure {
  readonly subject: Subject;
  readonly shape: Shape;
  readonly poses: readonly Pose[];
  /** Pixels of the frame for a pixel of the textures, at scale 1. */
  readonly size: number;
  /** Which way it goes. */
  readonly way: -1 | 1;
}

/** The highest that figures are drawn; more is enlarged. */
const TALLEST = 460;

export async function drawFigures(site: Site): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const subject of site.brief.subjects) figures.push(await drawFigure(site, subject));
  return figures;
}

/** What figures are seen by: stars in space, whatever the time of day is elsewhere; at night more than falls on the land. */
function inItsLight(site: Site, way: -1 | 1): Site {
  const { brief, light } = site;
  if (brief.setting === 'space') {
    const ofStars = { sunlight: rgb('#fff6e8'), ambient: rgb('#6a7490'), haze: rgb('#141a2e') };
    return { ...site, light: { ...light, ...ofStars } };
  }
  if (brief.setting === 'fire') {
    // They look at it.
    const sun = { ...light.sun, x: 0.5 + 0.35 * way, height: 0.02, strength: 1, isMoon: false };
    return { ...site, light: { ...light, sun, sunlight: rgb('#ffa85a'), ambient: rgb('#4a3a4c') } };
  }
  if (light.dark < 0.3) return site;
  const isTown = brief.features.has('city');
  const lamps = isTown ? rgb('#c79a6a') : rgb('#6f84b4');
  const sun = { ...light.sun, strength: Math.max(light.sun.strength, isTown ? 0.8 : 0.4) };
  const ambient = mix(light.ambient, lamps, 0.4 * light.dark);
  const sunlight = mix(light.sunlight, lamps, 0.35 * light.dark);
  return { ...site, light: { ...light, sun, ambient, sunlight } };
}

async function drawFigure(bare: Site, subject: Subject): Promise<Figure> {
  const own = seededRandom(bare.seed, `way ${subject}`)() < 0.5 ? -1 : 1;
  const way = bare.way === 0 ? own : bare.way;
  const site = inItsLight(bare, way);
  const shape = SHAPES[subject];
  const { setting, ground, pace } = site.brief;
  // One that flies alone is shown larger.
  const isAlone = shape.home === 'sky' && !site.brief.many.has(subject);
  const wanted = shape.tall * site.size.height * site.density * (isAlone ? 1.8 : 1);
  const height = Math.round(clamp(wanted, 12, TALLEST) / 2) * 2;
  const width = Math.ceil((height * shape.wide) / 200) * 2;
  const isAfloat = setting === 'space' || shape.home === 'sky';
  const falls = isAfloat ? 'nothing' : shape.home === 'water' || ground === 'street' ? 'mirror' : 'shadow';
  const haze = (shape.home === 'sky' ? 0.16 : shape.home === 'far' ? 0.12 : 0.05) + 0.1 * site.light.dark;
  const said = site.brief.subjectColors.get(subject);
  const color = said && hex(said);
  const { default: sharp } = await import('sharp');
  const poses: Pose[] = [];
  for (let frame = 0; frame < shape.frames; frame++) {
    const body = shape.draw(frame / shape.frames, pace, color);
    const turned =
      way < 0 && shape.home !== 'far'
        ? `<g transform="translate(${shape.wide} 0) scale(-1 1)">${body}</g>`
        : body;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${shape.wide} 100">${turned}</svg>`;
    const pixels = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer();
    poses.push(paintPose(site, pixels, { width, height }, { haze, falls }));
  }
  return { subject, shape, poses, size: (shape.tall * site.size.height) / height, way };
}

/** Where a figure is, and in which part of its movement. */
export interface Stand {
  /** Its foot. */
  readonly x: number;
  readonly y: number;
  readonly depth: number;
  readonly scale: number;
  /** Whole turns count on. */
  readonly turn: number;
  /** How far each row of what it mirrors is moved, for a mirror that is not still. */
  readonly sway?: Float32Array | undefined;
  /** How far it has sunk below the row of its foot, where it is hidden, in pixels of the frame; it mirrors nothing then. */
  readonly sunk?: number | undefined;
}

export function drawStand(
  planes: Planes,
  site: Site,
  view: View,
  { poses, size }: Figure,
  stand: Stand,
): void {
  const part = stand.turn - Math.floor(stand.turn);
  const pose = poses[Math.floor(part * poses.length) % poses.length];
  if (!pose) return;
  const { scale, left, top } = project(site, view, stand.depth);
  const pixel = size * stand.scale * scale;
  const x = stand.x * scale + left;
  const y = stand.y * scale + top;
  const { body, shadow, mirror } = pose;
  const place = (width: number): number => x - (width * pixel) / 2;
  if (shadow)
    drawTexture(planes, shadow, {
      left: place(shadow.width),
      top: y - body.height * 0.05 * pixel,
      scale: pixel,
      bottom: view.bottom,
    });
  if (mirror && stand.sunk === undefined)
    drawTexture(planes, mirror, {
      left: place(mirror.width),
      top: y - body.height * 0.055 * pixel,
      scale: pixel,
      sway: stand.sway,
    });
  const lowest = stand.sunk === undefined ? view.bottom : Math.max(0, Math.min(planes.height, y));
  drawTexture(planes, body, {
    left: place(body.width),
    top: y + (stand.sunk ?? 0) * scale - body.height * pixel * 0.98,
    scale: pixel,
    bottom: lowest,
  });
}

/** How high it is at its place, in pixels of the frame. */
export function heightOf(site: Site, { shape }: Figure, scale: number): number {
  return shape.tall * site.size.height * scale;
}
