import { limb, outline, type Point, TURN } from './limbs.ts';

/** Shines by itself at night. */
export const LAMP = '#ffdc8c';

/** A bird to the right; its wings beat once in a turn, and are folded on the way up. */
export function drawBird(turn: number): string {
  const beat = Math.cos(turn * TURN);
  const lag = Math.cos(turn * TURN - 0.9);
  const wing = (root: Point, side: number, color: string): string => {
    const bent: Point = [root[0] - 6 + side * 5, root[1] - beat * 23];
    const tip: Point = [root[0] - 20 + side * 9 - 6 * Math.abs(beat), root[1] - beat * 22 - lag * 21];
    return outline(
      [
        [root[0] + 9, root[1]],
        [bent[0] + 9, bent[1]],
        tip,
        tip,
        [bent[0] - 9, bent[1] + 3 + beat * 3],
        [root[0] - 13, root[1] + 2],
      ],
      color,
    );
  };
  return (
    wing([56, 52], 1, '#4a4f5c') +
    outline(
      [
        [88, 47],
        [80, 42],
        [56, 46],
        [30, 52],
        [8, 48],
        [4, 55],
        [22, 57],
        [50, 61],
        [78, 55],
      ],
      '#3a3f4b',
    ) +
    `<path d="M86 46 L96 49 L86 50 Z" fill="#c98a3a"/>` +
    wing([52, 53], -1, '#2c303a')
  );
}

export function drawDragon(turn: number): string {
  const lift = Math.cos(turn * TURN);
  const lag = Math.cos(turn * TURN - 0.8);
  const wave = (x: number): number => Math.sin(turn * TURN - x * 0.05) * 2.5;
  const wing = (dx: number, color: string): string =>
    outline(
      [
        [64 + dx, 54],
        [60 + dx, 40 - lift * 18],
        [40 + dx, 26 - lift * 20 - lag * 12],
        [40 + dx, 26 - lift * 20 - lag * 12],
        [36 + dx, 40 - lift * 12 - lag * 6],
        [42 + dx, 44 - lift * 6],
        [40 + dx, 52],
        [50 + dx, 56],
      ],
      color,
    );
  const spine: readonly Point[] = [4, 20, 36, 52, 66, 76, 84].map((x) => [
    x,
    58 + wave(x) - Math.max(0, x - 66) * 0.5,
  ]);
  return (
    wing(8, '#4a3440') +
    limb(spine, [1.5, 3.5, 7, 12, 11, 7, 5], '#3a2f3c') +
    `<path d="M2 ${(58 + wave(0)).toFixed(1)} l-1 -5 l8 5 l-8 5 Z" fill="#3a2f3c"/>` +
    outline(
      [
        [82, 46 + wave(84)],
        [92, 45 + wave(84)],
        [99, 50 + wave(84)],
        [92, 53 + wave(84)],
        [84, 54 + wave(84)],
      ],
      '#3a2f3c',
    ) +
    `<path d="M85 ${(46 + wave(84)).toFixed(1)} l-7 -8 l11 7 Z" fill="#c8b48a"/><circle cx="90" cy="${(47.5 + wave(84)).toFixed(1)}" r="1.1" fill="#ffb03a"/>` +
    limb(
      [
        [58, 62],
        [54, 70],
        [58, 73],
      ],
      [5, 3, 1.5],
      '#332936',
    ) +
    wing(0, '#5c3f4a')
  );
}

const PANELS = ['#e8503a', '#f8c84a', '#f3efe4', '#3f7fc0', '#e8503a', '#f8c84a'];

export function drawBalloon(turn: number): string {
  // The panels go around: it turns slowly.
  const panels = Array.from({ length: 7 }, (_, at) => {
    const [from, to] = [at - 1 + turn, at + turn].map(
      (place) => -Math.cos((Math.min(6, Math.max(0, place)) / 6) * Math.PI),
    );
    const x = (part: number, wide: number): string => (37 + part * wide).toFixed(1);
    if (from === undefined || to === undefined || to - from < 0.01) return '';
    return `<path d="M37 2 Q${x(from, 29)} 6 ${x(from, 29)} 34 Q${x(from, 28)} 56 ${x(from, 7)} 76 L${x(to, 7)} 76 Q${x(to, 28)} 56 ${x(to, 29)} 34 Q${x(to, 29)} 6 37 2 Z" fill="${PANELS[(at + 5) % PANELS.length]}"/>`;
  });
  return `${panels.join('')}<path d="M31 77 L32 88 M43 77 L42 88" stroke="#5a4632" stroke-width="1"/><rect x="35" y="78" width="4" height="4" rx="2" fill="${LAMP}"/><rect x="31" y="87" width="12" height="10" rx="2" fill="#7a5232"/>`;
}

export function drawRocket(turn: number): string {
  const flare = 88 + Math.sin(turn * TURN) * 5 + Math.sin(turn * TURN * 3) * 4;
  return `<path d="M22 2 Q34 22 33 60 L11 60 Q10 22 22 2 Z" fill="#e8ecf2"/><path d="M22 2 Q34 22 33 60 L24 60 Q26 22 22 2 Z" fill="#b8c0cc"/><path d="M11 44 L2 68 L11 63 Z M33 44 L42 68 L33 63 Z" fill="#d0402f"/><circle cx="21" cy="28" r="5" fill="#2a4a6a" stroke="#8a929e" stroke-width="1.6"/><path d="M14 61 L30 61 L28 66 L16 66 Z" fill="#4a4f5a"/><path d="M16 67 Q13 ${flare - 8} 22 ${flare + 6} Q31 ${flare - 8} 28 67 Z" fill="${LAMP}"/>`;
}

export function drawAirplane(turn: number): string {
  const blink = turn < 0.15 || (turn > 0.25 && turn < 0.32);
  return (
    '<path d="M66 46 L84 20 L92 20 L90 48 Z" fill="#b4becb"/>' +
    '<path d="M154 56 Q146 44 122 45 L30 44 L16 16 L6 16 L14 46 L10 50 Q16 60 40 64 L120 66 Q146 66 154 56 Z" fill="#e8edf3"/>' +
    '<path d="M154 56 Q100 60 12 52 Q18 60 40 64 L120 66 Q146 66 154 56 Z" fill="#aab4c2"/>' +
    '<path d="M100 56 L66 88 L54 88 L76 56 Z" fill="#cbd4de"/><path d="M26 50 L8 60 L2 60 L12 48 Z" fill="#cbd4de"/>' +
    '<path d="M140 49 L147 52 L140 53 Z" fill="#2b3644"/><path d="M16 16 L26 36 L14 40 L6 16 Z" fill="#c8483a"/>' +
    Array.from(
      { length: 11 },
      (_, at) => `<rect x="${48 + at * 8}" y="49" width="3" height="3" rx="1" fill="#33404f"/>`,
    ).join('') +
    (blink
      ? `<circle cx="57" cy="88" r="4" fill="${LAMP}"/><circle cx="8" cy="15" r="3.4" fill="${LAMP}"/>`
      : '')
  );
}
