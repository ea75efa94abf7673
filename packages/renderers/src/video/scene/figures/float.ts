import { clamp, lerp, smoothstep } from '../../curves.ts';
import { drawTexture } from '../../draw-texture.ts';
import { fractalTile, readTile } from '../../noise.ts';
import { drawDot } from '../../particles/dots.ts';
import { type Planes, toYuv } from '../../planes.ts';
import { between, seededRandom } from '../../random.ts';
import { mix, type Rgb, scaled } from '../../rgb.ts';
import { paintTexture, type Texture } from '../../texture.ts';
import { type Element, project, type Site, type View } from '../site.ts';
import type { Anchor } from '../subjects.ts';
import { drawStand, type Figure, heightOf } from './figure.ts';
import { wayOf } from './walk.ts';

/** Pictures of a wake, one after the other. */
const CHURNS = 16;

/** What is on the water: a boat that sails and leaves a wake, a gate that stands, a whale that shows its tail. */
export function createFloat(site: Site, figure: Figure, anchor: Anchor): Element {
  if (figure.subject === 'whale') return createTail(site, figure, anchor);
  const { size, brief } = site;
  const { shape, way, poses } = figure;
  const high = heightOf(site, figure, anchor.scale);
  const course = wayOf(site, figure, anchor);
  const rough = shape.stride > 0 ? 0.4 + brief.wind : 0;
  const sway = new Float32Array(poses[0]?.body.height ?? 1);
  const wake = course.travel === 0 ? [] : paintWake(site, way);
  return {
    draw(planes, view) {
      const { seconds } = view;
      const { x } = course.at(view);
      const bob = rough * size.height * 0.006 * (Math.sin(seconds * 1.9) + 0.5 * Math.sin(seconds * 3.1 + 1));
      for (let row = 0; row < sway.length; row++)
        sway[row] =
          Math.sin((row / sway.length) * 46 + seconds * 4.2) *
          (row / sway.length) *
          high *
          0.06 *
          (0.3 + brief.wind);
      const churn = wake[Math.floor(seconds * 10) % CHURNS];
      if (churn) drawWake(planes, view, churn, x);
      drawStand(planes, site, view, figure, {
        ...anchor,
        x,
        y: anchor.y + bob,
        turn: seconds * shape.beat,
        sway,
      });
    },
  };

  function drawWake(planes: Planes, view: View, churn: Texture, x: number): void {
    const { scale, left, top } = project(site, view, anchor.depth);
    const long = high * 2.5 * scale;
    // Its head is at the bow.
    const bow = (x + way * high * 0.47) * scale + left;
    drawTexture(planes, churn, {
      left: way > 0 ? bow - long : bow,
      top: anchor.y * scale + top - (long * churn.height) / churn.width / 2,
      scale: long / churn.width,
    });
  }
}

/** Foam in two lines that part, and what the hull has stirred between them. */
function paintWake(site: Site, way: -1 | 1): readonly Texture[] {
  const { light, seed } = site;
  const width = 220;
  const height = 24;
  const foam = fractalTile(128, { seed: seed + 611, cells: 12, octaves: 4, gain: 0.6 });
  const color: Rgb = mix(scaled([255, 255, 255], lerp(1, 0.4, light.dark)), light.horizon, 0.08);
  return Array.from({ length: CHURNS }, (_, churn) => {
    // Around a circle, so that the last picture goes on with the first.
    const angle = (churn / CHURNS) * 2 * Math.PI;
    const [shiftX, shiftY] = [Math.cos(angle) * 9, Math.sin(angle) * 9];
    return paintTexture({ width, height }, (row, y) => {
      const v = Math.abs((y + 0.5) / height - 0.5) * 2;
      for (let x = 0, at = 0; x < width; x++, at += 4) {
        const along = (way > 0 ? width - x - 0.5 : x + 0.5) / width;
        const apart = 0.16 + 0.74 * along;
        const lines = Math.exp(-(((v - apart) / 0.16) ** 2)) * (1 - along) ** 0.8;
        const stirred = Math.exp(-((v / (apart * 0.8)) ** 2)) * (1 - along) ** 1.3;
        const noise = readTile(foam, along * 300 + shiftX, y * 3.4 + shiftY);
        const thick = (lines + stirred) * (0.7 + noise * 1.3) * Math.min(1, along * 16);
        row.set(color, at);
        row[at + 3] = smoothstep(0.22, 0.75, thick) * 0.95;
      }
    });
  });
}

/** Rises out of the water, stands, and goes down again, with spray around it. */
function createTail(site: Site, figure: Figure, anchor: Anchor): Element {
  const { light, size } = site;
  const random = seededRandom(site.seed, 'spray');
  const high = heightOf(site, figure, anchor.scale);
  const drops = Array.from({ length: 60 }, () => ({
    aside: between(random, -1, 1),
    power: between(random, 0.3, 1),
    phase: random(),
  }));
  const color = toYuv(scaled([255, 255, 255], lerp(1, 0.45, light.dark)));
  return {
    draw(planes, view) {
      const { seconds, progress } = view;
      const lift = Math.sin(Math.PI * clamp(0.12 + progress * 0.86)) ** 0.8;
      const x = anchor.x + figure.way * (progress - 0.5) * 0.06 * size.width;
      const hidden = (1 - lift) * high;
      drawStand(planes, site, view, figure, {
        ...anchor,
        x,
        turn: seconds * figure.shape.beat,
        sunk: hidden,
      });
      const { scale, left, top } = project(site, view, anchor.depth);
      for (const { aside, power, phase } of drops) {
        const age = (seconds * 0.8 + phase) % 1;
        drawDot(planes, {
          x: (x + aside * high * (0.22 + 0.45 * age)) * scale + left,
          y:
            (anchor.y - (power * 0.9 * age - 1.1 * age * age) * high * 0.7 * (0.35 + 0.65 * (1 - lift))) *
              scale +
            top,
          radius: high * 0.018 * (0.6 + power) * scale,
          color,
          strength: 0.7 * (1 - age),
          covers: true,
        });
      }
    },
  };
}
