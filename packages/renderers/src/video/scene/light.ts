import { between, type Random } from '../random.ts';
import { mix, type Rgb, rgb, scaled, tinted } from '../rgb.ts';
import type { Brief, Time } from './read-prompt.ts';

/** How strongly a color of the prompt tints each. The second color is for the upper sky and the shade. */
const TINTS = {
  zenith: [0.6, 'second'],
  middle: [0.62, 'first'],
  horizon: [0.45, 'first'],
  glow: [0.25, 'first'],
  haze: [0.5, 'first'],
  sunlight: [0.3, 'first'],
  ambient: [0.4, 'second'],
  cloudLit: [0.35, 'first'],
  cloudShade: [0.5, 'second'],
} as const;

/** The colors of a scene: of the sky, around the sun, of distance, of light, of clouds. Colors of light are factors times 255. */
type LightColors = Readonly<Record<keyof typeof TINTS, Rgb>>;

export interface Light extends LightColors {
  readonly sun: Sun;
  /** 0 by day, 1 at night. */
  readonly dark: number;
}

interface Sun {
  /** From 0 at the left edge to 1 at the right one. */
  readonly x: number;
  /** Above the horizon, in heights of the frame. */
  readonly height: number;
  readonly color: Rgb;
  readonly isMoon: boolean;
  /** 0 hides it. */
  readonly strength: number;
}

/** Colors are in the order of `TINTS`; gray is that of an overcast sky. */
const TIMES: Readonly<Record<Time, Readonly<Record<'colors' | 'sun' | 'gray', string>>>> = {
  dawn: {
    colors: '#3f66ac #b79ac8 #ffb890 #ffd890 #dcb4bc #ffd0a4 #7684bc #ffcdb4 #9484b4',
    sun: '#fff0c8',
    gray: '#a8a8b4',
  },
  day: {
    colors: '#2463b8 #5b9be0 #c4e0f6 #fff6dc #b4d0ea #fff4de #8aa4c8 #ffffff #a9bcd4',
    sun: '#fffbe8',
    gray: '#93a0ae',
  },
  golden: {
    colors: '#2d3c74 #a4628c #ff9a4a #ffc45e #d98c6e #ffb070 #6a5a88 #ffb27a #6e4a78',
    sun: '#ffeeb8',
    gray: '#8a7880',
  },
  dusk: {
    colors: '#12173c #45407e #d6708a #ff9a8a #66548a #c888a8 #4a4a80 #d87a98 #2e2c5c',
    sun: '#ffb48a',
    gray: '#3c4058',
  },
  night: {
    colors: '#040818 #0b1a3c #2a4a78 #8fb0e0 #1e345c #6a88b8 #1c2c50 #46618e #0e1a36',
    sun: '#f4f4ea',
    gray: '#141c2c',
  },
};

export function lightOf(brief: Brief, random: Random): Light {
  const { time, clouds, storm, mood } = brief;
  const { colors, sun, gray } = TIMES[time];
  const x = random() < 0.5 ? between(random, 0.2, 0.42) : between(random, 0.58, 0.8);
  const isLow = time === 'golden' || time === 'dawn';
  const height = time === 'dusk' ? -0.03 : isLow ? between(random, 0.035, 0.12) : between(random, 0.3, 0.42);
  const overcast = storm > 0 ? 0.75 : Math.max(0, clouds - 0.6) * 1.6;
  const [first, second = first] = brief.lightColors;
  const dull = scaled(rgb(gray), storm > 0 ? 0.72 : 1);
  const codes = colors.split(' ');
  const adapted = Object.entries(TINTS).map(([name, [part, which]], index) => {
    const color = mix(rgb(codes[index] ?? '#000000'), dull, overcast * 0.75);
    const tint = which === 'first' ? first : second;
    return [name, scaled(tint ? tinted(color, tint, part) : color, mood.light)];
  });
  const isMoon = time === 'night';
  const strength =
    time === 'dusk' ? 0 : isMoon && overcast <= 0.6 ? 1 : overcast > 0.4 ? 0 : 1 - overcast * 0.9;
  return {
    ...(Object.fromEntries(adapted) as LightColors),
    sun: { x, height, color: rgb(sun), isMoon, strength },
    dark: isMoon ? 1 : time === 'dusk' ? 0.6 : 0,
  };
}
