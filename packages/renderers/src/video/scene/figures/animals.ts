import type { Beast } from './beasts.ts';
import { limb, outline, type Point, reach, TURN } from './limbs.ts';
import { type Pace, shade } from './people.ts';

/** Legs across from each other step together when it trots; one after the other when it walks. */
export function drawBeast(beast: Beast, turn: number, pace: Pace): string {
  const phase = turn * TURN;
  const steps = pace === 2 ? [0, 0.08, 0.5, 0.58] : beast.legs < 45 ? [0, 0.5, 0.5, 0] : [0, 0.5, 0.75, 0.25];
  const swing = pace === 0 ? 0 : pace === 1 ? 0.36 : 0.62;
  const [nearFore = 0, farFore = 0, nearHind = 0, farHind = 0] = steps;
  const middle = beast.wide * 0.5;
  const bob = pace === 0 ? Math.sin(phase) * 0.3 : Math.sin(phase * 2) * (pace === 2 ? 2.6 : 1.1);
  const y = beast.back + bob;
  const rump: Point = [middle - beast.long / 2, y];
  const withers: Point = [middle + beast.long / 2 - beast.chest * 0.3, y];
  const dark = shade(beast.fur, 0.62);
  const foot = beast.back + beast.legs;
  const fore = (step: number, color: string): string =>
    foreleg([withers[0], y + beast.chest * 0.22], phase + step * TURN, { beast, swing, foot, color });
  const hind = (step: number, color: string): string =>
    hindleg([rump[0] + beast.loin * 0.28, y + beast.loin * 0.15], phase + step * TURN, {
      beast,
      swing,
      foot,
      color,
    });
  return (
    fore(farFore, dark) +
    hind(farHind, dark) +
    tailOf(beast, rump, phase, pace) +
    bodyOf(beast, rump, withers) +
    hind(nearHind, beast.fur) +
    fore(nearFore, beast.fur) +
    headOf(beast, withers, { phase, pace })
  );
}

interface Leg {
  readonly beast: Beast;
  readonly swing: number;
  /** The row of the ground. */
  readonly foot: number;
  readonly color: string;
}

function foreleg(top: Point, phase: number, { beast, swing, foot, color }: Leg): string {
  const { thick } = beast;
  const lifted = Math.max(0, Math.cos(phase + 0.3)) * (swing > 0 ? 1 : 0);
  const angle = Math.sin(phase) * swing;
  const length = foot - top[1];
  const knee = reach(top, length * 0.52, angle + lifted * 0.35);
  const hoof = reach(knee, length * 0.48, angle - lifted * (0.9 + swing));
  const held: Point = [hoof[0], Math.min(foot, hoof[1] + (1 - lifted) * (foot - hoof[1]))];
  return limb([top, knee, held], [thick * 1.5, thick * 0.92, thick * 0.6], color) + paw(held, thick, color);
}

function hindleg(top: Point, phase: number, { beast, swing, foot, color }: Leg): string {
  const { thick } = beast;
  const lifted = Math.max(0, Math.cos(phase + 0.3)) * (swing > 0 ? 1 : 0);
  const angle = Math.sin(phase) * swing;
  const length = foot - top[1];
  const knee = reach(top, length * 0.4, angle + 0.32 + lifted * 0.3);
  const hock = reach(knee, length * 0.34, angle - 0.5 - lifted * 0.7);
  const hoof = reach(hock, length * 0.34, angle + 0.05 - lifted * 0.35);
  const held: Point = [hoof[0], Math.min(foot, hoof[1] + (1 - lifted) * (foot - hoof[1]))];
  return (
    limb([top, knee, hock, held], [thick * 2.3, thick * 1.35, thick * 0.78, thick * 0.6], color) +
    paw(held, thick, color)
  );
}

function paw([x, y]: Point, thick: number, color: string): string {
  return limb(
    [
      [x - thick * 0.1, y],
      [x + thick * 0.42, y + thick * 0.08],
    ],
    [thick * 0.72, thick * 0.6],
    shade(color, 0.6),
  );
}

function bodyOf({ long, chest, loin, fur, belly, extra }: Beast, [rx, ry]: Point, [wx, wy]: Point): string {
  const top = extra === 'hump' ? ry - loin * 1.25 : ry - loin * 0.52;
  const hull = outline(
    [
      [rx - loin * 0.28, ry - loin * 0.2],
      [rx + long * 0.12, ry - loin * 0.62],
      [rx + long * 0.45, top],
      [wx - long * 0.04, wy - chest * 0.56],
      [wx + chest * 0.36, wy - chest * 0.3],
      [wx + chest * 0.4, wy + chest * 0.28],
      [wx - chest * 0.1, wy + chest * 0.66],
      [rx + long * 0.4, ry + loin * 0.6],
      [rx + long * 0.05, ry + loin * 0.55],
      [rx - loin * 0.3, ry + loin * 0.35],
    ],
    fur,
  );
  const under = belly
    ? outline(
        [
          [wx + chest * 0.3, wy + chest * 0.2],
          [wx - chest * 0.1, wy + chest * 0.62],
          [rx + long * 0.4, ry + loin * 0.56],
          [rx + long * 0.3, ry + loin * 0.3],
        ],
        belly,
      )
    : '';
  return hull + under + coatOf(extra, { rx, ry, wx, wy, long, loin });
}

interface Coat {
  readonly rx: number;
  readonly ry: number;
  readonly wx: number;
  readonly wy: number;
  readonly long: number;
  readonly loin: number;
}

function coatOf(extra: Beast['extra'], { rx, ry, wx, wy, long, loin }: Coat): string {
  const blob = (x: number, y: number, radius: number, color: string): string =>
    `<ellipse cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" rx="${radius.toFixed(1)}" ry="${(radius * 0.8).toFixed(1)}" fill="${color}"/>`;
  if (extra === 'patches')
    return (
      blob(rx + long * 0.12, ry - loin * 0.05, loin * 0.34, '#3a302a') +
      blob(rx + long * 0.55, ry - loin * 0.16, loin * 0.3, '#3a302a') +
      blob(wx + 4, wy + loin * 0.05, loin * 0.22, '#3a302a')
    );
  if (extra !== 'wool') return '';
  return Array.from({ length: 13 }, (_, at) => {
    const angle = (at / 13) * TURN;
    return blob(
      (rx + wx) / 2 + Math.cos(angle) * long * 0.46,
      (ry + wy) / 2 + Math.sin(angle) * loin * 0.44,
      loin * 0.24,
      at % 2 === 0 ? '#efeadf' : '#e2dccf',
    );
  }).join('');
}

function tailOf({ tail, fur, mane }: Beast, rump: Point, phase: number, pace: Pace): string {
  const wag = Math.sin(phase * (pace === 0 ? 3 : 1)) * tail.wag;
  const root: Point = [rump[0] - 2, rump[1] - 3];
  const first = reach(root, tail.length * 0.5, tail.angle + wag * 0.5);
  const end = reach(first, tail.length * 0.5, tail.angle * 0.86 + wag * 1.3);
  return limb([root, first, end], [tail.width * 0.8, tail.width, tail.width * 0.45], mane ?? shade(fur, 0.9));
}

function headOf(
  beast: Beast,
  withers: Point,
  { phase, pace }: { readonly phase: number; readonly pace: Pace },
): string {
  const { neck, head, fur, chest, mane, extra } = beast;
  const nod = Math.sin(phase * (pace === 0 ? 1 : 2)) * (pace === 0 ? 0.05 : 0.045);
  const root: Point = [withers[0] + chest * 0.05, withers[1] - chest * 0.12];
  const skull = reach(root, neck.length, neck.angle + nod);
  const nose = reach(skull, head.length, 1.5 + head.droop + nod * 1.4);
  const long = limb([root, skull], [neck.width * 1.5, neck.width * 0.82], fur);
  const face =
    limb([skull, nose], [head.width, head.width * 0.52], fur) +
    limb([nose, [nose[0] + 1, nose[1] + 0.5]], [head.width * 0.36, head.width * 0.3], shade(fur, 0.42)) +
    `<circle cx="${(skull[0] + head.length * 0.28).toFixed(1)}" cy="${(skull[1] - head.width * 0.12).toFixed(1)}" r="1.3" fill="#14100e"/>`;
  const crest = mane
    ? outline(
        [
          [skull[0] + 2, skull[1] - 6],
          [skull[0] - 5, skull[1] - 3],
          [root[0] - 9, root[1] - 4],
          [root[0] - 1, root[1] - 2],
          [skull[0] - 1, skull[1] + 1],
        ],
        mane,
      )
    : '';
  return long + crest + horns(extra, skull) + face + ears(beast, skull) + trunk(extra, nose, phase);
}

function ears({ ears: kind, head, fur }: Beast, [x, y]: Point): string {
  const dark = shade(fur, 0.72);
  const tip = head.width * 0.5;
  if (kind === 'hanging')
    return limb(
      [
        [x - 1, y - tip * 0.5],
        [x - 3.5, y + tip * 0.9],
      ],
      [5, 4.5],
      dark,
    );
  if (kind === 'large')
    return `<ellipse cx="${(x - 3).toFixed(1)}" cy="${(y + 3).toFixed(1)}" rx="10" ry="15" fill="${dark}"/>`;
  const up = kind === 'up' ? 10 : 5.5;
  const ear = (dx: number, color: string): string =>
    `<path d="M${(x + dx - 3).toFixed(1)} ${(y - tip * 0.55).toFixed(1)} L${(x + dx - 0.5).toFixed(1)} ${(y - tip - up * 0.8).toFixed(1)} L${(x + dx + 3.4).toFixed(1)} ${(y - tip * 0.6).toFixed(1)} Z" fill="${color}"/>`;
  return ear(-2.5, dark) + ear(2, fur);
}

function horns(extra: Beast['extra'], [x, y]: Point): string {
  if (extra !== 'antlers') return '';
  const branch = (side: number): string =>
    `<path d="M${(x - 1).toFixed(1)} ${(y - 4).toFixed(1)} q${-4 * side} -10 ${-1 * side - 4} -21 M${(x - 3).toFixed(1)} ${(y - 13).toFixed(1)} q${4 * side + 4} -3 ${3 * side + 4} -9 M${(x - 4).toFixed(1)} ${(y - 18).toFixed(1)} q${-5 * side - 3} -2 ${-5 * side - 5} -8" stroke="#5a4030" stroke-width="1.7" fill="none" stroke-linecap="round"/>`;
  return branch(1) + branch(-1);
}

function trunk(extra: Beast['extra'], nose: Point, phase: number): string {
  if (extra !== 'trunk') return '';
  const middle = reach(nose, 19, 0.05 + Math.sin(phase) * 0.12);
  const end = reach(middle, 17, -0.1 + Math.sin(phase - 0.8) * 0.3);
  return (
    limb([nose, middle, end], [13, 8, 4.5], '#8a8684') +
    limb(
      [
        [nose[0] - 4, nose[1] + 4],
        [nose[0] + 7, nose[1] + 11],
      ],
      [4, 2],
      '#f2ead8',
    )
  );
}
