/**
 * The name as lines of a pen, so that no font is needed. Letters stand on height 0 and are 1 high (capitals and ascenders) or
 * 0.62 (the others); each has its advance and its strokes, which are paths in the manner of SVG with y downwards.
 */
const LETTERS: readonly { readonly advance: number; readonly path: string }[] = [
  // A
  { advance: 0.86, path: 'M0.04 0 L0.4 -1 L0.76 0 M0.17 -0.34 L0.63 -0.34' },
  // t
  { advance: 0.42, path: 'M0.17 -0.9 L0.17 -0.16 Q0.17 0 0.36 -0.02 M0.02 -0.62 L0.36 -0.62' },
  // e
  {
    advance: 0.66,
    path: 'M0.05 -0.33 L0.56 -0.33 Q0.55 -0.62 0.31 -0.62 Q0.05 -0.6 0.05 -0.3 Q0.06 0 0.33 0 Q0.48 -0.01 0.55 -0.12',
  },
  // l
  { advance: 0.3, path: 'M0.13 -1 L0.13 0' },
  // i
  { advance: 0.28, path: 'M0.12 -0.62 L0.12 0 M0.12 -0.86 L0.12 -0.85' },
  // e
  {
    advance: 0.66,
    path: 'M0.05 -0.33 L0.56 -0.33 Q0.55 -0.62 0.31 -0.62 Q0.05 -0.6 0.05 -0.3 Q0.06 0 0.33 0 Q0.48 -0.01 0.55 -0.12',
  },
  // r
  { advance: 0.4, path: 'M0.12 -0.62 L0.12 0 M0.12 -0.36 Q0.17 -0.62 0.38 -0.6' },
];

const LETTER_SPACE = 0.09;
/** The sign before the name: a lens within a ring. */
const SIGN = 1.3;

/** An SVG of the mark, white with a faint shadow, `width` pixels wide. */
export function wordmark(width: number): { readonly svg: string; readonly height: number } {
  const letters: string[] = [];
  let at = SIGN;
  for (const { advance, path } of LETTERS) {
    letters.push(`<path transform="translate(${at.toFixed(3)} 0)" d="${path}"/>`);
    at += advance + LETTER_SPACE;
  }
  const edge = 0.16;
  const full = { width: at + 2 * edge, height: 1 + 2 * edge };
  const height = Math.max(2, Math.round((width * full.height) / full.width));
  const sign =
    '<circle cx="0.5" cy="-0.5" r="0.43"/><path d="M0.5 -0.93 Q0.74 -0.5 0.5 -0.07 Q0.26 -0.5 0.5 -0.93 Z"/>';
  const pen = (color: string, strength: number, thickness: number): string =>
    `<g fill="none" stroke="${color}" stroke-opacity="${strength}" stroke-width="${thickness}" stroke-linecap="round" stroke-linejoin="round">${sign}${letters.join('')}</g>`;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-edge} ${-1 - edge} ${full.width.toFixed(3)} ${full.height.toFixed(3)}">` +
    `${pen('#000', 0.28, 0.2)}${pen('#fff', 1, 0.095)}</svg>`;
  return { svg, height };
}
