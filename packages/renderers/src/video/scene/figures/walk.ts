import { drawTexture } from '../../draw-texture.ts';
import { drawDot } from '../../particles/dots.ts';
import { toYuv } from '../../planes.ts';
import { rgb } from '../../rgb.ts';
import { type Element, type Focus, project, type Site, type View } from '../site.ts';
import type { Anchor } from '../subjects.ts';
import { paintBeam } from './beam.ts';
import { drawStand, type Figure, heightOf } from './figure.ts';

/** How far running carries beyond walking, and how much oftener the feet touch. */
const RUN = { stride: 1.65, beat: 1.35 };

/** A way through the film: where it is at a time, and its turn there. */
interface Way {
  at(view: View): { readonly x: number; readonly turn: number };
  /** From the first to the last frame, with its direction. */
  readonly travel: number;
  readonly middle: number;
}

/** As far as its feet carry it, around its place. What the camera tracks stays in the frame. */
export function wayOf(site: Site, figure: Figure, anchor: Anchor): Way {
  const { size, brief } = site;
  const { shape, way } = figure;
  const isRunning = brief.pace === 2 && shape.home === 'near';
  const stride = shape.stride * heightOf(site, figure, anchor.scale) * (isRunning ? RUN.stride : 1);
  const beat = shape.beat * (isRunning ? RUN.beat : 1);
  const goes = stride > 0 && (brief.pace > 0 || shape.home !== 'near');
  // It stays in the frame from the first to the last moment, closer still where the camera comes closer.
  const wide =
    (heightOf(site, figure, anchor.scale) * shape.wide * (brief.many.has(figure.subject) ? 2.6 : 1)) / 100;
  const open = site.isClosing || site.opensUp ? 0.66 : 0.86;
  const most = Math.max(size.width * open - wide * 0.6, size.width * 0.14);
  const wanted = goes ? stride * beat * site.seconds : 0;
  const travel = way * Math.min(most, wanted);
  // Who is slower than his feet would carry him takes shorter steps, not only fewer.
  const step = stride * Math.sqrt(Math.min(1, most / Math.max(1, wanted)));
  const middle = goes ? (anchor.x + size.width / 2) / 2 : anchor.x;
  const start = middle - travel / 2;
  return {
    travel,
    middle,
    at(view) {
      if (!goes) return { x: middle, turn: view.seconds * shape.beat * 0.6 };
      const free = start + travel * view.progress;
      if (!site.isTracking) return { x: free, turn: Math.abs(free - start) / step };
      const { scale, left } = project(site, view, anchor.depth);
      const x = (middle + way * (view.progress - 0.5) * 0.16 * size.width - left) / scale;
      return { x, turn: Math.abs(x - start + way * size.width) / step };
    },
  };
}

/** Those who go together, from the back to the front: places in own widths and heights, and how far on in their steps. */
const ALONE = [{ aside: 0, back: 0, phase: 0 }] as const;
const HERD = [
  { aside: 0.55, back: 0.22, phase: 0.37 },
  { aside: -0.95, back: 0.14, phase: 0.71 },
  { aside: 0, back: 0, phase: 0 },
  { aside: 1.2, back: -0.06, phase: 0.18 },
] as const;

/** Somebody who goes over the ground or stands there, or a herd where the prompt speaks of many. */
export function createWalk(site: Site, figure: Figure, anchor: Anchor): Element {
  const way = wayOf(site, figure, anchor);
  const high = heightOf(site, figure, anchor.scale);
  const wide = (high * figure.shape.wide) / 100;
  const { many, subjects } = site.brief;
  // Of two kinds there are half as many each.
  const members = many.has(figure.subject) ? (subjects.length > 1 ? HERD.slice(1, 3) : HERD) : ALONE;
  return {
    draw(planes, view) {
      const { x: middle, turn } = way.at(view);
      for (const { aside, back, phase } of members) {
        const x = middle + aside * wide;
        drawStand(planes, site, view, figure, {
          ...anchor,
          x,
          y: (anchor.footAt?.(x) ?? anchor.y) - back * high * 0.5,
          scale: anchor.scale * (1 - back * 0.5),
          turn: turn + phase,
        });
      }
    },
  };
}

/** What a camera that comes closer has to look at: where a figure is when it is close. */
export function focusOn(site: Site, figure: Figure, anchor: Anchor): Focus {
  const { travel, middle } = wayOf(site, figure, anchor);
  const x = middle + travel * 0.47 * (site.opensUp ? -1 : 1);
  const foot = anchor.footAt?.(x) ?? anchor.y;
  return { x, y: foot - heightOf(site, figure, anchor.scale) * 0.3 };
}

/** A car or a train, with its lights on in the dark. */
export function createDrive(site: Site, figure: Figure, anchor: Anchor): Element {
  const way = wayOf(site, figure, anchor);
  const high = heightOf(site, figure, anchor.scale);
  const isDark = site.light.dark > 0.3;
  const beam = isDark ? paintBeam(figure.way, { falls: 0.12 }) : undefined;
  const long = (high * figure.shape.wide) / 100;
  const red = toYuv(rgb('#ff3020'));
  const white = toYuv(rgb('#ffe8b8'));
  return {
    draw(planes, view) {
      const { x, turn } = way.at(view);
      const y = anchor.footAt?.(x) ?? anchor.y;
      drawStand(planes, site, view, figure, { ...anchor, x, y, turn });
      if (!beam) return;
      const { scale, left, top } = project(site, view, anchor.depth);
      const at = (along: number): number => (x + figure.way * long * along) * scale + left;
      const lamp = (y - high * 0.36) * scale + top;
      const reach = high * 2.6 * scale;
      drawTexture(planes, beam, {
        left: figure.way > 0 ? at(0.47) : at(0.47) - reach,
        top: lamp - (reach * beam.height) / beam.width / 2,
        scale: reach / beam.width,
      });
      const glow = { strength: 0.8, covers: false, y: lamp };
      drawDot(planes, { ...glow, x: at(0.47), radius: high * 0.26 * scale, color: white });
      drawDot(planes, { ...glow, x: at(-0.475), radius: high * 0.2 * scale, color: red });
    },
  };
}
