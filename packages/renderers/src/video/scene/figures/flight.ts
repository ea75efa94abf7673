import { clamp, ease, lerp } from '../../curves.ts';
import { drawDot } from '../../particles/dots.ts';
import { type Planes, toYuv } from '../../planes.ts';
import { between, type Random, seededRandom } from '../../random.ts';
import { mix, rgb } from '../../rgb.ts';
import { type Element, project, type Site, type View } from '../site.ts';
import { drawStand, type Figure, heightOf } from './figure.ts';

interface Flyer {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly phase: number;
}

/** Widths of the frame in a second. */
const PACES: Readonly<Record<string, number>> = {
  birds: 0.075,
  airplane: 0.1,
  dragon: 0.085,
  balloons: 0.014,
};
const COUNTS: Readonly<Record<string, number>> = { birds: 13, balloons: 5 };
/** How much larger one is than many are. */
const ALONE: Readonly<Record<string, number>> = { birds: 2.4, balloons: 1.5 };

/** Alone or in a flock, through the sky. */
export function createFlight(site: Site, figure: Figure): Element {
  const { size, seconds: length } = site;
  const { subject, shape, way } = figure;
  const random = seededRandom(site.seed, subject);
  const pace = PACES[subject] ?? 0;
  const flock = gather(site, figure, random);
  return {
    draw(planes, view) {
      const { seconds, progress } = view;
      for (const one of flock) {
        const near = lerp(0.6, 1, Math.min(1, one.scale));
        const x = one.x + way * pace * near * size.width * (seconds - length / 2);
        const rise =
          subject === 'rocket'
            ? ease(progress) * size.height * 0.45
            : Math.sin(seconds * 0.9 + one.phase * 6) * size.height * (subject === 'dragon' ? 0.03 : 0.01);
        // Birds beat their wings and glide by turns.
        const turn =
          subject === 'birds'
            ? beatOf(seconds + one.phase * 5, shape.beat)
            : seconds * shape.beat + one.phase;
        const y = one.y - rise;
        const depth = 0.05 + 0.12 * one.scale;
        if (subject === 'rocket')
          drawTrail(planes, site, view, { x, y, depth, high: heightOf(site, figure, one.scale) });
        drawStand(planes, site, view, figure, { x, y, depth, scale: one.scale, turn });
      }
    },
  };
}

function gather(site: Site, { subject, shape, way }: Figure, random: Random): readonly Flyer[] {
  const { size, horizon } = site;
  const count = site.brief.many.has(subject) ? (COUNTS[subject] ?? 1) : 1;
  const middle = { x: between(random, 0.42, 0.58), y: between(random, 0.34, 0.5) };
  return Array.from({ length: count }, (_, index): Flyer => {
    const scale = count === 1 ? (ALONE[subject] ?? 1) : lerp(0.32, 1.1, ((index + 0.5) / count) ** 1.5);
    const row = (index % 2 === 0 ? 1 : -1) * Math.ceil(index / 2);
    // Birds fly in a wedge, balloons wherever they are.
    const place =
      subject === 'birds' && count > 1
        ? {
            x: middle.x - way * Math.abs(row) * 0.045 + between(random, -0.014, 0.014),
            y: middle.y + row * 0.055 + between(random, -0.02, 0.02),
          }
        : count === 1
          ? middle
          : { x: middle.x + (random() + random() - 1) * 0.55, y: middle.y + between(random, -0.2, 0.25) };
    return {
      x: place.x * size.width,
      // A rocket starts on the ground.
      y:
        subject === 'rocket'
          ? horizon + 0.08 * size.height
          : clamp(place.y, 0.1, 0.85) * horizon + shape.tall * size.height * 0.5,
      scale: subject === 'birds' && count > 1 ? between(random, 0.55, 0.8) + (index === 0 ? 0.25 : 0) : scale,
      phase: random(),
    };
  });
}

/** Three beats, then wings held out for the rest of two seconds. */
function beatOf(seconds: number, beat: number): number {
  const cycle = seconds / 2;
  const within = (cycle - Math.floor(cycle)) * 2;
  return 0.25 + Math.min(within * beat, 3);
}

/** Smoke below a rocket that rises; in space there is only its flame. */
function drawTrail(
  planes: Planes,
  site: Site,
  view: View,
  {
    x,
    y,
    depth,
    high,
  }: { readonly x: number; readonly y: number; readonly depth: number; readonly high: number },
): void {
  if (site.brief.setting === 'space') return;
  const { scale, left, top } = project(site, view, depth);
  const smoke = toYuv(mix(rgb('#e8e4e0'), site.light.haze, 0.35));
  for (let puff = 0; puff < 22; puff++) {
    const age = (puff + ((view.seconds * 7) % 1)) / 22;
    drawDot(planes, {
      x: (x + Math.sin(puff * 2.4) * high * 0.06 * age) * scale + left,
      y: (y + age * high * 1.5) * scale + top,
      radius: high * (0.06 + 0.16 * age) * scale,
      color: smoke,
      strength: 0.55 * (1 - age),
      covers: true,
    });
  }
}
