import { between, type Random } from '../random.ts';
import { mix, type Rgb, rgb, saturated, scaled, tinted } from '../rgb.ts';
import type { Brief, Time } from './brief.ts';

/** The light of a scene. Colors of light are factors times 255. */
export interface Light {
  readonly zenith: Rgb;
  readonly middle: Rgb;
  readonly horizon: Rgb;
  /** Around the sun. */
  readonly glow: Rgb;
  /** What distance fades to. */
  readonly haze: Rgb;
  readonly sun: Sun;
  readonly sunlight: Rgb;
  readonly ambient: Rgb;
  readonly cloudLit: Rgb;
  readonly cloudShade: Rgb;
  /** 0 by day, 1 at night. */
  readonly dark: number;
}

export interface Sun {
  /** From 0 at the left edge to 1 at the right one. */
  readonly x: number;
  /** Above the horizon, in heights of the frame. */
  readonly height: number;
  readonly color: Rgb;
  readonly isMoon: boolean;
  /** 0 hides it. */
  readonly strength: number;
}

type Colors = Omit<Light, 'sun' | 'dark'> & { readonly sunColor: Rgb };

const COLORS: Readonly<Record<Time, Colors>> = {
  dawn: {
    zenith: rgb('#3f66ac'),
    middle: rgb('#b79ac8'),
    horizon: rgb('#ffb890'),
    glow: rgb('#ffd890'),
    haze: rgb('#dcb4bc'),
    sunColor: rgb('#fff0c8'),
    sunlight: rgb('#ffd0a4'),
    ambient: rgb('#7684bc'),
    cloudLit: rgb('#ffcdb4'),
    cloudShade: rgb('#9484b4'),
  },
  day: {
    zenith: rgb('#2463b8'),
    middle: rgb('#5b9be0'),
    horizon: rgb('#c4e0f6'),
    glow: rgb('#fff6dc'),
    haze: rgb('#b4d0ea'),
    sunColor: rgb('#fffbe8'),
    sunlight: rgb('#fff4de'),
    ambient: rgb('#8aa4c8'),
    cloudLit: rgb('#ffffff'),
    cloudShade: rgb('#a9bcd4'),
  },
  golden: {
    zenith: rgb('#2d3c74'),
    middle: rgb('#a4628c'),
    horizon: rgb('#ff9a4a'),
    glow: rgb('#ffc45e'),
    haze: rgb('#d98c6e'),
    sunColor: rgb('#ffeeb8'),
    sunlight: rgb('#ffb070'),
    ambient: rgb('#6a5a88'),
    cloudLit: rgb('#ffb27a'),
    cloudShade: rgb('#6e4a78'),
  },
  dusk: {
    zenith: rgb('#12173c'),
    middle: rgb('#45407e'),
    horizon: rgb('#d6708a'),
    glow: rgb('#ff9a8a'),
    haze: rgb('#66548a'),
    sunColor: rgb('#ffb48a'),
    sunlight: rgb('#c888a8'),
    ambient: rgb('#4a4a80'),
    cloudLit: rgb('#d87a98'),
    cloudShade: rgb('#2e2c5c'),
  },
  night: {
    zenith: rgb('#040818'),
    middle: rgb('#0b1a3c'),
    horizon: rgb('#2a4a78'),
    glow: rgb('#8fb0e0'),
    haze: rgb('#1e345c'),
    sunColor: rgb('#f4f4ea'),
    sunlight: rgb('#6a88b8'),
    ambient: rgb('#1c2c50'),
    cloudLit: rgb('#46618e'),
    cloudShade: rgb('#0e1a36'),
  },
};

const GREY: Readonly<Record<Time, Rgb>> = {
  dawn: rgb('#a8a8b4'),
  day: rgb('#93a0ae'),
  golden: rgb('#8a7880'),
  dusk: rgb('#3c4058'),
  night: rgb('#141c2c'),
};

export function lightOf(brief: Brief, random: Random, { isCel }: { readonly isCel: boolean }): Light {
  const { time, clouds, storm, features, mood } = brief;
  const base = COLORS[time];
  const isNight = time === 'night';
  const isLow = time === 'golden' || time === 'dawn' || time === 'dusk';
  const side = random() < 0.5 ? between(random, 0.2, 0.42) : between(random, 0.58, 0.8);
  const height = isLow
    ? time === 'dusk'
      ? -0.03
      : between(random, 0.035, 0.12)
    : between(random, 0.3, 0.42);
  const grey = storm > 0 ? 0.75 : Math.max(0, clouds - 0.6) * 1.6;
  const hue = brief.lightColors[0];
  const second = brief.lightColors[1] ?? hue;
  const adapt = (color: Rgb, toward: Rgb | undefined, by: number): Rgb => {
    const dull = mix(color, scaled(GREY[time], storm > 0 ? 0.72 : 1), grey * 0.75);
    const colored = toward ? tinted(dull, toward, by) : dull;
    return scaled(saturated(colored, isCel ? 1.3 : 1), mood.light);
  };
  const sunStrength =
    time === 'dusk'
      ? 0
      : isNight && grey <= 0.6
        ? features.has('moon') || features.size < 3
          ? 1
          : 0.6
        : grey > 0.4
          ? 0
          : 1 - grey * 0.9;
  return {
    zenith: adapt(base.zenith, second, 0.6),
    middle: adapt(base.middle, hue, 0.62),
    horizon: adapt(base.horizon, hue, 0.45),
    glow: adapt(base.glow, hue, 0.25),
    haze: adapt(base.haze, hue, 0.5),
    sunlight: adapt(base.sunlight, hue, 0.3),
    ambient: adapt(base.ambient, second, 0.4),
    cloudLit: adapt(base.cloudLit, hue, 0.35),
    cloudShade: adapt(base.cloudShade, second, 0.5),
    sun: { x: side, height, color: base.sunColor, isMoon: isNight, strength: sunStrength },
    dark: isNight ? 1 : time === 'dusk' ? 0.6 : 0,
  };
}
