/** `s` and `d` are premultiplied colors, `a` and `b` the alpha of source and destination. */
interface Mode {
  alpha(a: number, b: number): number;
  color(s: number, d: number, a: number, b: number): number;
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
const union = (a: number, b: number): number => a + b - a * b;
const both = (a: number, b: number): number => a * b;
const ofSource = (a: number): number => a;
const ofDestination = (_a: number, b: number): number => b;

const MODES = {
  ADD: { alpha: (a, b) => clamp(a + b), color: (s, d) => clamp(s + d) },
  CLEAR: { alpha: () => 0, color: () => 0 },
  DARKEN: { alpha: union, color: (s, d, a, b) => (1 - b) * s + (1 - a) * d + Math.min(s, d) },
  DST: { alpha: ofDestination, color: (_s, d) => d },
  DST_ATOP: { alpha: ofSource, color: (s, d, a, b) => a * d + (1 - b) * s },
  DST_IN: { alpha: both, color: (_s, d, a) => a * d },
  DST_OUT: { alpha: (a, b) => (1 - a) * b, color: (_s, d, a) => (1 - a) * d },
  DST_OVER: { alpha: (a, b) => b + (1 - b) * a, color: (s, d, _a, b) => d + (1 - b) * s },
  LIGHTEN: { alpha: union, color: (s, d, a, b) => (1 - b) * s + (1 - a) * d + Math.max(s, d) },
  MULTIPLY: { alpha: both, color: (s, d) => s * d },
  OVERLAY: {
    alpha: union,
    // ComfyUI swaps the operands, unlike other definitions. Workflows must look the same.
    color: (s, d, a, b) => (2 * d < b ? 2 * s * d : a * b - 2 * (b - s) * (a - d)),
  },
  SCREEN: { alpha: union, color: (s, d) => s + d - s * d },
  SRC: { alpha: ofSource, color: (s) => s },
  SRC_ATOP: { alpha: ofDestination, color: (s, d, a, b) => b * s + (1 - a) * d },
  SRC_IN: { alpha: both, color: (s, _d, _a, b) => b * s },
  SRC_OUT: { alpha: (a, b) => (1 - b) * a, color: (s, _d, _a, b) => (1 - b) * s },
  SRC_OVER: { alpha: (a, b) => a + (1 - a) * b, color: (s, d, a) => s + (1 - a) * d },
  XOR: {
    alpha: (a, b) => (1 - b) * a + (1 - a) * b,
    color: (s, d, a, b) => (1 - b) * s + (1 - a) * d,
  },
} as const satisfies Readonly<Record<string, Mode>>;

export type PorterDuffMode = keyof typeof MODES;
export const PORTER_DUFF_MODES = Object.keys(MODES) as PorterDuffMode[];

/** Below this, the color is black. */
const MIN_ALPHA = 1e-5;

export interface Layers {
  readonly source: Float32Array;
  readonly sourceMask: Float32Array;
  readonly destination: Float32Array;
  readonly destinationMask: Float32Array;
  readonly image: Float32Array;
  readonly mask: Float32Array;
}

/** Composites a picture over another into `image` and `mask`. A mask is 1 where a picture is transparent. */
export function porterDuff(name: PorterDuffMode, channels: number, layers: Layers): void {
  const { source, sourceMask, destination, destinationMask, image, mask } = layers;
  const { alpha: alphaOf, color: colorOf }: Mode = MODES[name];
  for (let pixel = 0; pixel < mask.length; pixel++) {
    const a = Math.fround(1 - (sourceMask[pixel] ?? 0));
    const b = Math.fround(1 - (destinationMask[pixel] ?? 0));
    const alpha = Math.fround(alphaOf(a, b));
    mask[pixel] = 1 - alpha;
    for (let at = pixel * channels; at < (pixel + 1) * channels; at++) {
      const s = Math.fround((source[at] ?? 0) * a);
      const d = Math.fround((destination[at] ?? 0) * b);
      image[at] = alpha > MIN_ALPHA ? clamp(colorOf(s, d, a, b) / alpha) : 0;
    }
  }
}
