import { clamp, lerp } from '../curves.ts';
import { drawTexture } from '../draw-texture.ts';
import type { Planes } from '../planes.ts';
import { between, type Random, seededRandom } from '../random.ts';
import { mix, type Rgb, rgb } from '../rgb.ts';
import { paintTexture, type Texture } from '../texture.ts';
import type { Subject } from './brief.ts';
import { LAMP, SHAPES, type Shape } from './shapes.ts';
import { type Element, project, type Site, type View } from './site.ts';
import { shadeOf } from './terrain.ts';

/** A place for something to stand: its foot, how near it is, and how large things are there. */
export interface Anchor {
  readonly x: number;
  readonly y: number;
  readonly depth: number;
  readonly scale: number;
}

export type Anchors = Readonly<Record<'near' | 'far' | 'water' | 'road', Anchor>>;

/** The pictures of a subject's movement, drawn. */
export interface Figure {
  readonly subject: Subject;
  readonly shape: Shape;
  readonly textures: readonly Texture[];
  /** Pixels of the frame for a pixel of the textures, at scale 1. */
  readonly size: number;
}

/** The highest that figures are drawn; more is enlarged. */
const TALLEST = 420;

export async function drawFigures(site: Site): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const subject of site.brief.subjects) {
    if (subject === 'palms') continue;
    figures.push(await drawFigure(site, subject));
  }
  return figures;
}

async function drawFigure(site: Site, subject: Subject): Promise<Figure> {
  const shape = SHAPES[subject];
  const wanted = shape.tall * site.size.height * site.density * 1.3;
  const height = Math.round(clamp(wanted, 12, TALLEST) / 2) * 2;
  const width = Math.ceil((height * shape.wide) / 200) * 2;
  const { default: sharp } = await import('sharp');
  const textures: Texture[] = [];
  for (let frame = 0; frame < shape.frames; frame++) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${shape.wide} 100">${shape.draw(frame / shape.frames)}</svg>`;
    const pixels = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer();
    textures.push(
      lit(site, pixels, { width, height }, (shape.home === 'sky' ? 0.2 : 0.1) + 0.15 * site.light.dark),
    );
  }
  return { subject, shape, textures, size: (shape.tall * site.size.height) / height };
}

/** Puts a drawing into the light of the scene; lamps shine in the dark. */
function lit(
  site: Site,
  pixels: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
  haze: number,
): Texture {
  const lamp = rgb(LAMP);
  const { light } = site;
  return paintTexture({ width, height }, (row, y) => {
    for (let x = 0, at = 0; x < width; x++, at += 4) {
      const from = (y * width + x) * 4;
      const color: Rgb = [pixels[from] as number, pixels[from + 1] as number, pixels[from + 2] as number];
      const isLamp =
        Math.abs(color[0] - lamp[0]) + Math.abs(color[1] - lamp[1]) + Math.abs(color[2] - lamp[2]) < 12;
      const side = light.sun.x < 0.5 ? 1 - x / width : x / width;
      const shaded = mix(shadeOf(site, color, 0.3 + 0.5 * side), light.haze, haze);
      const shown = isLamp && light.dark > 0.3 ? lamp : isLamp ? mix(shaded, light.middle, 0.5) : shaded;
      row.set(shown, at);
      row[at + 3] = (pixels[from + 3] as number) / 255;
    }
  });
}

/** Lets the figures act: at their places, or moving through the picture. */
export function createSubjects(
  site: Site,
  figures: readonly Figure[],
  anchors: Anchors,
): { readonly back: readonly Element[]; readonly front: readonly Element[] } {
  const back: Element[] = [];
  const front: Element[] = [];
  for (const figure of figures) {
    const random = seededRandom(site.seed, figure.subject);
    const { home } = figure.shape;
    if (home === 'sky') back.push(createFlight(site, figure, random));
    else if (home === 'road') front.push(createPassing(site, figure, anchors.road));
    else if (home === 'far') back.push(createStanding(site, figure, anchors.far, 0));
    else if (home === 'water')
      front.push(createStanding(site, figure, anchors.water, figure.subject === 'torii' ? 0 : 1));
    else front.push(createStanding(site, figure, anchors.near, 0));
  }
  return { back, front };
}

interface Pose {
  readonly x: number;
  readonly y: number;
  readonly depth: number;
  readonly scale: number;
  /** Of its own movement, 0 to 1. */
  readonly turn: number;
}

function drawPose(planes: Planes, site: Site, view: View, { textures, size }: Figure, pose: Pose): void {
  const texture = textures[Math.floor(pose.turn * textures.length) % textures.length];
  if (!texture) return;
  const { scale, left, top } = project(site, view.camera, pose.depth);
  const pixel = size * pose.scale * scale;
  drawTexture(planes, texture, {
    left: pose.x * scale + left - (texture.width * pixel) / 2,
    top: pose.y * scale + top - texture.height * pixel * 0.98,
    scale: pixel,
    bottom: view.bottom,
  });
}

/** `rocks` is 1 for what floats. */
function createStanding(site: Site, figure: Figure, anchor: Anchor, rocks: number): Element {
  const { size, brief } = site;
  return {
    draw(planes, view) {
      const { seconds } = view;
      const bob = rocks * size.height * 0.004 * (0.5 + brief.wind) * Math.sin(seconds * 1.6);
      const drift = rocks * seconds * size.width * 0.004;
      drawPose(planes, site, view, figure, {
        ...anchor,
        x: anchor.x + drift,
        y: anchor.y + bob,
        turn: (seconds * 0.35 + 1) % 1,
      });
    },
  };
}

function createPassing(site: Site, figure: Figure, anchor: Anchor): Element {
  const { size } = site;
  return {
    draw(planes, view) {
      const x = size.width * (1.15 - view.progress * 1.0);
      drawPose(planes, site, view, figure, { ...anchor, x, turn: 0 });
    },
  };
}

/** Alone or in a flock, through the sky. */
function createFlight(site: Site, figure: Figure, random: Random): Element {
  const { size, horizon } = site;
  const count = figure.subject === 'birds' ? 13 : figure.subject === 'balloons' ? 5 : 1;
  const pace =
    figure.subject === 'birds'
      ? 0.035
      : figure.subject === 'balloons'
        ? 0.006
        : figure.subject === 'rocket'
          ? 0
          : 0.05;
  const direction = figure.subject === 'birds' ? (random() < 0.5 ? -1 : 1) : -1;
  const middle = { x: between(random, 0.35, 0.65), y: between(random, 0.3, 0.5) };
  const flock = Array.from({ length: count }, (_, index) => ({
    x:
      (count === 1
        ? middle.x
        : middle.x + (random() + random() - 1) * (figure.subject === 'birds' ? 0.2 : 0.5)) * size.width,
    y:
      clamp(middle.y + (count === 1 ? 0 : between(random, -0.2, 0.25)), 0.12, 0.8) * horizon +
      figure.shape.tall * size.height * 0.5,
    scale: count === 1 ? 1 : lerp(0.35, 1.1, ((index + 0.5) / count) ** 1.5),
    phase: random(),
  }));
  return {
    draw(planes, view) {
      const { seconds } = view;
      for (const one of flock) {
        const x = one.x + direction * seconds * pace * size.width * lerp(0.6, 1, one.scale);
        const rise =
          figure.subject === 'rocket'
            ? view.progress * size.height * 0.5
            : Math.sin(seconds * 0.9 + one.phase * 6) * size.height * 0.008;
        const turn = (seconds * (figure.subject === 'dragon' ? 0.9 : 1.7) + one.phase) % 1;
        drawPose(planes, site, view, figure, {
          x,
          y: one.y - rise,
          depth: 0.05 + 0.12 * one.scale,
          scale: one.scale,
          turn,
        });
      }
    },
  };
}
