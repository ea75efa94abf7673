import { hashText, seededRandom } from '../random.ts';
import { along, hsl, mix, type Rgb, rgb, saturated, scaled } from '../rgb.ts';
import type { Brief } from './brief.ts';

const MOODS: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\b(love|romance|heart|passion|valentine|kiss)\b/,
    ['#2a0a2e', '#8a1f5c', '#e8456b', '#ffb0a0', '#fff0e0'],
  ],
  [
    /\b(calm|peace|peaceful|serene|zen|meditat\w*|relax\w*|quiet|sleep)\b/,
    ['#0c2a3e', '#1f6a7e', '#7ac0b8', '#e0efd8', '#fff8e8'],
  ],
  [
    /\b(energy|power|electric|speed|rhythm|dance|party|disco|techno)\b/,
    ['#120638', '#5a0fc0', '#ff2f8a', '#ffb02f', '#fff6c8'],
  ],
  [
    /\b(music|jazz|song|melody|sound|piano|guitar)\b/,
    ['#160c2e', '#4a2a8a', '#b0508a', '#ffb86a', '#fff0cc'],
  ],
  [
    /\b(sad|melanchol\w*|lonely|loss|grief|blue mood)\b/,
    ['#0a1220', '#22385a', '#5a7a9a', '#a8bcc8', '#e0e4e8'],
  ],
  [
    /\b(joy|happy|happiness|fun|celebrat\w*|birthday|summer)\b/,
    ['#ff4f7a', '#ff9a3a', '#ffe05a', '#5ad6b0', '#3a8af0'],
  ],
  [
    /\b(tech\w*|digital|data|ai|network|computer|future|cyber|matrix|code)\b/,
    ['#03101e', '#0a3a5e', '#0fa0b8', '#5af0d0', '#eafff8'],
  ],
  [
    /\b(luxury|elegant|perfume|jewel\w*|fashion|wine|chocolate|coffee|watch)\b/,
    ['#14100c', '#4a3220', '#a87a3a', '#f0cf8a', '#fff4dc'],
  ],
  [
    /\b(fresh|nature|organic|eco|leaf|tea|growth|life)\b/,
    ['#06241a', '#1f6a3e', '#7ab84a', '#e0f0a0', '#fffbe8'],
  ],
  [
    /\b(dream|fantasy|magic\w*|imagination|surreal|unicorn)\b/,
    ['#1a1450', '#5a3ab0', '#c070e0', '#ffb8e0', '#fff0f8'],
  ],
  [
    /\b(rage|anger|war|battle|danger|horror|blood|hell)\b/,
    ['#0a0406', '#4a0a10', '#b01a18', '#f06a2a', '#ffe0a0'],
  ],
];

/** Five colors from dark to light that suit what a prompt says. */
export function paletteFor(
  prompt: string,
  { colors, mood }: Pick<Brief, 'colors' | 'mood'>,
  seed: number,
): readonly Rgb[] {
  const text = prompt.toLowerCase();
  const named =
    colors.length > 0
      ? fromColors(colors)
      : (MOODS.find(([words]) => words.test(text))?.[1].map(rgb) ?? fromWords(text, seed));
  return named.map((color) => scaled(saturated(color, mood.saturation), mood.light));
}

/** From the shadow of the first color to the light of the last. */
function fromColors(colors: readonly Rgb[]): readonly Rgb[] {
  const [first = [60, 60, 60] as const] = colors;
  const last = colors.at(-1) ?? first;
  const spread =
    colors.length === 1
      ? [first, first, mix(first, [255, 255, 255], 0.35)]
      : [0, 0.5, 1].map((at) => along(colors, at));
  return [
    scaled(first, 0.16),
    ...spread.slice(0, 2).map((color, index) => scaled(color, 0.7 + 0.3 * index)),
    spread[2] ?? last,
    mix(last, [255, 250, 240], 0.75),
  ];
}

/** Any text has colors of its own. */
function fromWords(text: string, seed: number): readonly Rgb[] {
  const random = seededRandom(hashText(text) ^ seed, 'palette');
  const hue = random();
  const turn = 0.12 + 0.25 * random();
  const side = random() < 0.5 ? -1 : 1;
  const at = (steps: number): number => (((hue + side * turn * steps) % 1) + 1) % 1;
  return [
    hsl(at(0), 0.7, 0.09),
    hsl(at(0.4), 0.72, 0.3),
    hsl(at(1), 0.75, 0.52),
    hsl(at(1.6), 0.85, 0.7),
    hsl(at(2), 0.8, 0.92),
  ];
}
