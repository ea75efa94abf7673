import { LAMP } from './flyers.ts';
import { TURN } from './limbs.ts';
import { shade } from './people.ts';

/** Rolls with the waves; the sails fill and slacken. */
export function drawSailboat(turn: number, sail = '#fffcf3'): string {
  const roll = Math.sin(turn * TURN) * 3.2;
  const fill = 30 + Math.sin(turn * TURN + 1) * 3;
  return (
    `<g transform="rotate(${roll.toFixed(2)} 48 92)"><path d="M45 4 L47 4 L47.6 84 L44.6 84 Z" fill="#5a4632"/>` +
    `<path d="M43 8 Q${43 - fill} 44 ${10 - fill * 0.06} 77 L43 78 Z" fill="${shade(sail, 0.96)}"/><path d="M43 8 Q${43 - fill * 0.6} 44 26 77.6 L43 78 Z" fill="${sail}"/>` +
    `<path d="M49 14 Q${49 + fill * 0.8} 48 84 79 L49 78 Z" fill="${shade(sail, 0.89)}"/>` +
    '<path d="M43 30 L38 31 M43 46 L32 48 M43 62 L22 65" stroke="#d8cfbb" stroke-width="0.8"/><path d="M46 4 l9 2.4 l-9 2.4 Z" fill="#c8402f"/>' +
    '<path d="M6 82 Q48 88 94 79 Q90 92 80 97 L20 97 Q9 92 6 82 Z" fill="#7c3d29"/><path d="M6 82 Q48 88 94 79 L93 83 Q48 92 7 86 Z" fill="#f3e9d9"/><path d="M9 90 Q48 96 88 89 L86 92 Q48 98 11 93 Z" fill="#4f2518"/>' +
    `<path d="M30 84 L33 78 L52 78 L56 84 Z" fill="#d9c9ae"/><rect x="36" y="79.5" width="4" height="3" fill="${LAMP}"/><rect x="44" y="79.5" width="4" height="3" fill="${LAMP}"/></g>`
  );
}

const wheel = (x: number, y: number, radius: number, turn: number): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="#1c1e23"/><circle cx="${x}" cy="${y}" r="${radius * 0.62}" fill="#aab2bd"/>` +
  [0, 1, 2, 3, 4]
    .map((spoke) => {
      const angle = ((spoke / 5 + turn / 5) * TURN * 180) / Math.PI;
      return `<rect x="${x - radius * 0.09}" y="${y - radius * 0.56}" width="${radius * 0.18}" height="${radius * 0.56}" fill="#30343c" transform="rotate(${angle.toFixed(1)} ${x} ${y})"/>`;
    })
    .join('') +
  `<circle cx="${x}" cy="${y}" r="${radius * 0.16}" fill="#5a626e"/>`;

/** To the right; a turn is a fifth of a turn of its wheels, which looks the same. */
export function drawCar(turn: number, paint = '#b8322c'): string {
  const [dark, light] = [shade(paint, 0.74), shade(paint, 1.3)];
  return (
    `<path d="M6 74 Q3 58 12 54 L38 48 Q62 20 96 19 L124 20 Q146 23 166 47 Q198 51 204 62 Q207 70 204 79 L8 80 Z" fill="${paint}"/>` +
    `<path d="M6 70 Q100 64 206 72 L204 80 L8 80 Z" fill="${dark}"/><path d="M38 48 Q100 42 166 47 L164 50 Q100 46 40 51 Z" fill="${light}"/>` +
    '<path d="M50 46 Q66 27 92 25.5 L94 45 Z M100 25.5 L122 26.5 Q138 30 152 45.5 L101 45 Z" fill="#27323f"/><path d="M106 27 L118 28 L112 45 L104 45 Z" fill="#4b5c6e"/>' +
    `<path d="M97 48 L98 78 M146 50 Q150 64 146 78" stroke="${dark}" stroke-width="1" fill="none"/><rect x="104" y="55" width="9" height="2" rx="1" fill="#e8e2da"/>` +
    '<path d="M30 80 A20 20 0 0 1 70 80 Z M142 80 A20 20 0 0 1 182 80 Z" fill="#15161a"/>' +
    wheel(50, 81, 16.5, turn) +
    wheel(162, 81, 16.5, turn) +
    `<path d="M196 57 Q205 60 205 66 L194 64 Z" fill="${LAMP}"/><rect x="5" y="57" width="5" height="9" rx="2" fill="#ff4a3a"/>`
  );
}

export function drawTrain(turn: number, paint = '#a63631'): string {
  const car = (x: number): string =>
    `<rect x="${x}" y="18" width="128" height="70" rx="7" fill="${paint}"/><rect x="${x}" y="18" width="128" height="9" rx="4" fill="#6d7480"/><rect x="${x}" y="64" width="128" height="6" fill="#efe6d6"/>` +
    [0, 1, 2, 3]
      .map((at) => `<rect x="${x + 10 + at * 29}" y="32" width="20" height="21" rx="3" fill="${LAMP}"/>`)
      .join('') +
    [24, 44, 86, 106].map((at) => wheel(x + at, 90, 8, turn)).join('');
  return (
    '<rect x="120" y="76" width="190" height="7" fill="#2a2a30"/>' +
    car(4) +
    car(138) +
    `<path d="M272 18 L362 18 Q400 22 412 62 L412 88 L272 88 Z" fill="${shade(paint, 1.08)}"/><path d="M272 18 L362 18 Q372 19 380 24 L272 27 Z" fill="#6d7480"/><path d="M370 30 Q392 34 400 54 L374 54 Z" fill="#26303c"/><path d="M272 64 L411 64 L412 70 L272 70 Z" fill="#efe6d6"/>${[0, 1, 2].map((at) => `<rect x="${282 + at * 29}" y="32" width="20" height="21" rx="3" fill="${LAMP}"/>`).join('')}<circle cx="405" cy="74" r="4" fill="${LAMP}"/>` +
    [292, 312, 366, 386].map((at) => wheel(at, 90, 8, turn)).join('')
  );
}

/** The tail of a whale that dives; the rest is under water. */
export function drawWhale(turn: number): string {
  const sway = Math.sin(turn * TURN) * 6;
  return (
    `<path d="M56 100 Q${56 + sway * 0.2} 70 ${60 + sway * 0.5} 52 Q${38 + sway} ${48 - sway * 0.4} ${14 + sway} ${22 - sway} Q${38 + sway} ${18 - sway * 0.6} ${58 + sway * 0.8} 34 Q${64 + sway * 0.6} 40 ${66 + sway * 0.6} 45 Q${68 + sway * 0.6} 40 ${74 + sway * 0.8} 34 Q${94 + sway} ${18 + sway * 0.6} ${118 + sway} ${22 + sway} Q${96 + sway} ${48 + sway * 0.4} ${72 + sway * 0.5} 52 Q${76 + sway * 0.2} 70 82 100 Z" fill="#2f4254"/>` +
    `<path d="M66 100 Q${66 + sway * 0.3} 70 ${66 + sway * 0.5} 50 Q${74 + sway * 0.4} 70 82 100 Z" fill="#243442"/>`
  );
}
