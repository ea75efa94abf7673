import { clamp, lerp } from '../curves.ts';
import { noiseAlong } from '../noise.ts';
import { type Planes, type Size, toYuv, type Yuv } from '../planes.ts';
import { pick, type Random } from '../random.ts';
import type { Rgb } from '../rgb.ts';
import { drawDot, drawStreak } from './dots.ts';

export type ParticleKind =
  | 'dust'
  | 'snow'
  | 'rain'
  | 'embers'
  | 'fireflies'
  | 'petals'
  | 'leaves'
  | 'bubbles'
  | 'sparkles';

export interface ParticleSettings {
  readonly kind: ParticleKind;
  /** 1 is what one expects of the word. */
  readonly density: number;
  /** Sideways, in widths of the frame a second. */
  readonly wind: number;
  readonly colors: readonly [Rgb, ...Rgb[]];
  readonly random: Random;
}

export interface ParticleView {
  readonly seconds: number;
  /** 0 to 1. */
  readonly strength: number;
  /** How far near things have moved on the screen, in parts of its width and height. */
  readonly shiftX: number;
  readonly shiftY: number;
}

export type Particles = (planes: Planes, view: ParticleView) => void;

interface Habit {
  readonly count: number;
  /** In heights of the frame. */
  readonly radius: readonly [number, number];
  /** Downwards, in heights a second. */
  readonly fall: readonly [number, number];
  readonly wander: number;
  readonly strength: number;
  readonly covers: boolean;
  /** How often each blinks a second; 0 never. */
  readonly blink: number;
}

const HABITS: Readonly<Record<Exclude<ParticleKind, 'rain'>, Habit>> = {
  dust: {
    count: 70,
    radius: [0.0012, 0.006],
    fall: [-0.012, 0.006],
    wander: 0.03,
    strength: 0.3,
    covers: false,
    blink: 0.25,
  },
  snow: {
    count: 420,
    radius: [0.0018, 0.0085],
    fall: [0.05, 0.2],
    wander: 0.03,
    strength: 0.9,
    covers: true,
    blink: 0,
  },
  embers: {
    count: 110,
    radius: [0.0016, 0.0048],
    fall: [-0.34, -0.1],
    wander: 0.05,
    strength: 1,
    covers: false,
    blink: 1.5,
  },
  fireflies: {
    count: 60,
    radius: [0.006, 0.013],
    fall: [-0.012, 0.012],
    wander: 0.12,
    strength: 1,
    covers: false,
    blink: 0.5,
  },
  petals: {
    count: 90,
    radius: [0.003, 0.009],
    fall: [0.04, 0.13],
    wander: 0.06,
    strength: 0.95,
    covers: true,
    blink: 0,
  },
  leaves: {
    count: 55,
    radius: [0.004, 0.011],
    fall: [0.06, 0.17],
    wander: 0.08,
    strength: 0.95,
    covers: true,
    blink: 0,
  },
  bubbles: {
    count: 70,
    radius: [0.002, 0.009],
    fall: [-0.22, -0.06],
    wander: 0.03,
    strength: 0.4,
    covers: false,
    blink: 0,
  },
  sparkles: {
    count: 60,
    radius: [0.002, 0.006],
    fall: [-0.01, 0.01],
    wander: 0.02,
    strength: 0.9,
    covers: false,
    blink: 0.6,
  },
};

interface Particle {
  readonly x: number;
  readonly y: number;
  /** 0 far, 1 near. */
  readonly near: number;
  readonly phase: number;
  readonly seed: number;
  readonly color: Yuv;
}

/** Where each one is follows from the time alone, so that no frame depends on the one before. */
export function createParticles(size: Size, settings: ParticleSettings): Particles {
  const { kind, density, random } = settings;
  const count = Math.round((kind === 'rain' ? 520 : HABITS[kind].count) * density);
  const particles = Array.from({ length: count }, (): Particle => {
    // Far ones are many, near ones few.
    const near = random() ** 2.2;
    return {
      x: random(),
      y: random(),
      near,
      phase: random(),
      seed: Math.floor(random() * 2 ** 30),
      color: toYuv(pick(random, settings.colors)),
    };
  });
  const gusts = Math.floor(random() * 2 ** 30);
  if (kind === 'rain') return rain(size, particles, settings);
  const habit = HABITS[kind];
  return (planes, view) => {
    const gust = settings.wind * view.seconds + 0.02 * noiseAlong(view.seconds * 0.4, gusts);
    for (const particle of particles) drawParticle(planes, particle, { habit, view, gust, size });
  };
}

interface Drawing {
  readonly habit: Habit;
  readonly view: ParticleView;
  readonly gust: number;
  readonly size: Size;
}

function drawParticle(planes: Planes, particle: Particle, { habit, view, gust, size }: Drawing): void {
  const { near, phase, seed, color } = particle;
  const { seconds } = view;
  const pace = lerp(0.5, 1.2, near);
  const away = noiseAlong(seconds * 0.55 * pace + phase * 50, seed) * habit.wander;
  const lift = noiseAlong(seconds * 0.5 * pace + phase * 90, seed + 1) * habit.wander * 0.6;
  const x = particle.x + away + gust * pace + view.shiftX * (0.4 + near);
  const y =
    particle.y +
    lerp(habit.fall[0], habit.fall[1], habit.fall[0] < 0 && habit.fall[1] < 0 ? 1 - near : near) * seconds +
    lift +
    view.shiftY * (0.4 + near);
  const margin = 0.06;
  const radius = Math.max(0.8, lerp(habit.radius[0], habit.radius[1], near ** 1.5) * size.height);
  // The nearest are out of focus: larger and fainter.
  const blurred = near > 0.82 ? 1 + (near - 0.82) * 7 : 1;
  const blink =
    habit.blink === 0
      ? 1
      : clamp(0.45 + 0.75 * Math.sin((seconds * habit.blink + phase) * 2 * Math.PI + near * 9));
  const strength = (habit.strength * view.strength * blink * lerp(0.55, 1, near)) / (blurred * blurred);
  if (strength < 0.01) return;
  drawDot(planes, {
    x: (wrapped(x, margin) - margin) * size.width,
    y: (wrapped(y, margin) - margin) * size.height,
    radius: radius * blurred,
    color,
    strength,
    covers: habit.covers,
  });
}

/** Leaves on one side, comes back on the other, out of sight. */
function wrapped(value: number, margin: number): number {
  const span = 1 + 2 * margin;
  return value - Math.floor(value / span) * span;
}

function rain(size: Size, particles: readonly Particle[], { wind }: ParticleSettings): Particles {
  return (planes, { seconds, strength, shiftX }) => {
    for (const { x, y, near, color, phase } of particles) {
      const speed = lerp(1.3, 2.9, near);
      const length = lerp(0.02, 0.085, near) * size.height;
      const slant = wind * 0.9 + 0.03;
      const height = wrapped(y + phase + seconds * speed, 0.12) - 0.12;
      drawStreak(planes, {
        x:
          (wrapped(x + slant * height + seconds * wind * 0.3 + shiftX * (0.4 + near), 0.08) - 0.08) *
          size.width,
        y: height * size.height,
        dx: -slant * (size.width / size.height) * length * 0.6,
        dy: -length,
        thickness: lerp(0.0009, 0.0022, near) * size.height,
        color,
        strength: strength * lerp(0.1, 0.34, near),
      });
    }
  };
}
