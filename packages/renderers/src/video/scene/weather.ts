import { clamp } from '../curves.ts';
import { drawDot } from '../particles/dots.ts';
import { createParticles, type ParticleKind } from '../particles/particles.ts';
import { type Planes, toYuv } from '../planes.ts';
import { between, pick, type Random, seededRandom } from '../random.ts';
import { mix, type Rgb, rgb, scaled } from '../rgb.ts';
import { drawLine, newCanvas, toTexture } from './canvas.ts';
import { drawBoard, type Element, project, type Site, textureSize } from './site.ts';

const COLORS: Readonly<Record<ParticleKind, readonly [Rgb, ...Rgb[]]>> = {
  rain: [rgb('#d4e0ee')],
  snow: [rgb('#ffffff'), rgb('#eef4ff')],
  petals: [rgb('#ffc4d6'), rgb('#ffe0ea'), rgb('#f7a3bf')],
  leaves: [rgb('#c8702a'), rgb('#d99a3a'), rgb('#a8451f')],
  fireflies: [rgb('#d8ff6a'), rgb('#ffe98a')],
  embers: [rgb('#ff9c3a'), rgb('#ffc766'), rgb('#ff6a2a')],
  dust: [rgb('#ffe9c4'), rgb('#fff4e0')],
  sparkles: [rgb('#ffffff'), rgb('#ffe9b0'), rgb('#c4e0ff')],
  bubbles: [rgb('#cfefff'), rgb('#ffffff')],
};

/** What falls, flies or glows in the air before everything else. */
export function createAir(site: Site, kind: ParticleKind, density = 1): Element {
  const { size, brief, light } = site;
  const random = seededRandom(site.seed, kind);
  const glows = kind === 'fireflies' || kind === 'embers' || kind === 'sparkles';
  const [first, ...others] = COLORS[kind].map((color) =>
    glows ? color : mix(scaled(color, 1 - 0.55 * light.dark), light.horizon, 0.12),
  );
  const wind =
    (kind === 'rain' ? 0.06 + 0.25 * brief.wind : 0.012 + 0.06 * brief.wind) * (random() < 0.5 ? -1 : 1);
  const particles = createParticles(size, {
    kind,
    density,
    wind,
    colors: [first ?? [255, 255, 255], ...others],
    random,
  });
  return {
    draw(planes, { seconds, camera }) {
      particles(planes, {
        seconds,
        strength: 1,
        shiftX: -(camera.turnX + camera.travelX) * 0.8,
        shiftY: -(camera.turnY + camera.travelY) * 0.8,
      });
    },
  };
}

/** Bolts at times that the seed decides, each with a flash over the whole picture. */
export function createLightning(site: Site): Element {
  const { size, horizon, seed } = site;
  const random = seededRandom(seed, 'lightning');
  const times = Array.from({ length: 24 }, (_, index) => 0.35 + index * 1.35 + between(random, 0, 0.7));
  const width = size.height * 0.5;
  const bolts = [0, 1, 2].map(() => {
    const canvas = newCanvas(textureSize(site, { width, height: horizon }));
    strike(canvas.width / 2, 0, site.density * size.height * 0.006, 0);
    return {
      texture: toTexture(canvas),
      left: between(random, 0.12, 0.75) * size.width,
      top: 0,
      depth: 0.04,
    };

    function strike(x: number, y: number, thickness: number, level: number): void {
      const step = canvas.height * 0.045;
      for (let at = y, place = x; at < canvas.height; at += step) {
        const next = place + between(random, -0.9, 0.9) * step;
        drawLine(canvas, [place, at], [next, at + step], {
          color: [214, 224, 255],
          thickness: thickness * 4,
          alpha: 0.16,
        });
        drawLine(canvas, [place, at], [next, at + step], { color: [255, 255, 255], thickness });
        if (level < 2 && random() < 0.12) strike(next, at + step, thickness * 0.5, level + 1);
        if (level > 0 && random() < 0.1) return;
        place = next;
      }
    }
  });
  return {
    draw(planes, view) {
      const index = times.findLastIndex((time) => time <= view.seconds);
      const since = view.seconds - (times[index] ?? Number.NEGATIVE_INFINITY);
      if (since > 0.55) return;
      const flicker = Math.exp(-since * 7) * (Math.sin(since * 55) > -0.4 ? 1 : 0.45);
      const bolt = bolts[index % bolts.length];
      if (bolt && since < 0.3) drawBoard(planes, site, bolt, view, { opacity: clamp(flicker * 1.2) });
      brighten(planes, 1 + 0.55 * flicker, 14 * flicker);
    },
  };
}

function brighten({ y }: Planes, by: number, plus: number): void {
  const factor = Math.round(by * 256);
  const offset = Math.round(plus * 64);
  for (let at = 0; at < y.length; at++) {
    const value = (Math.imul(y[at] as number, factor) >> 8) + offset;
    y[at] = value > 32_767 ? 32_767 : value;
  }
}

const BURSTS: readonly [Rgb, ...Rgb[]] = [
  rgb('#ff5a4a'),
  rgb('#ffd04a'),
  rgb('#4ac0ff'),
  rgb('#c06aff'),
  rgb('#6affa0'),
  rgb('#ffffff'),
];

/** Rockets that burst over the horizon, one after the other. */
export function createFireworks(site: Site): Element {
  const { size, horizon, seed } = site;
  const random = seededRandom(seed, 'fireworks');
  const bursts = Array.from({ length: 66 }, (_, index) => createBurst(random, index));

  function createBurst(draw: Random, index: number) {
    return {
      start: -1.2 + index * 0.28 + between(draw, 0, 0.3),
      x: between(draw, 0.12, 0.88) * size.width,
      y: between(draw, 0.16, 0.6) * horizon,
      reach: between(draw, 0.14, 0.3) * size.height,
      color: toYuv(pick(draw, BURSTS)),
      sparks: Array.from({ length: 70 }, () => ({
        angle: draw() * 6.283,
        out: 0.45 + 0.55 * Math.sqrt(draw()),
        phase: draw(),
      })),
    };
  }

  return {
    draw(planes, view) {
      const { seconds } = view;
      const { scale, left, top } = project(site, view, 0.06);
      for (const { start, x, y, reach, color, sparks } of bursts) {
        const age = (seconds - start) / 1.7;
        if (age < 0 || age > 1) continue;
        const grown = 1 - (1 - age) ** 3;
        for (const { angle, out, phase } of sparks) {
          const strength =
            clamp((1 - age) * 1.4) * (age > 0.6 ? (Math.sin(phase * 99 + seconds * 30) > 0 ? 1 : 0.3) : 1);
          for (const trail of [0, 0.05, 0.1]) {
            const at = Math.max(0, grown - trail) * out * reach;
            drawDot(planes, {
              x: (x + Math.cos(angle) * at) * scale + left,
              y: (y + Math.sin(angle) * at + age * age * reach * 0.45) * scale + top,
              radius: size.height * 0.0042 * (1 - trail * 4),
              color,
              strength: strength * (1 - trail * 7),
              covers: false,
            });
          }
        }
      }
    },
  };
}
