import type { Subject } from './brief.ts';

/** A drawing on a field of 100 by 100 (wider where it says so), standing on its lower edge, in the colors of plain daylight. */
export interface Shape {
  /** Width of the field for a height of 100. */
  readonly wide: number;
  /** In heights of the frame, at the place where it usually stands. */
  readonly tall: number;
  /** Where it is at home. */
  readonly home: 'near' | 'far' | 'water' | 'sky' | 'road';
  /** Pictures of one turn of its own movement; 1 where it keeps still. */
  readonly frames: number;
  /** `turn` goes from 0 to 1. */
  draw(turn: number): string;
}

/** Shines by itself at night. */
export const LAMP = '#ffdc8c';

function still(shape: Omit<Shape, 'frames' | 'draw'>, body: string): Shape {
  return { ...shape, frames: 1, draw: () => body };
}

const figure = (x: number, coat: string): string =>
  `<g transform="translate(${x} 0)"><path d="M42 60 L41 98 L48 98 L50 70 L52 98 L59 98 L58 60 Z" fill="#23252e"/>` +
  `<path d="M37 30 Q50 22 63 30 L67 60 Q50 66 33 60 Z" fill="${coat}"/><path d="M37 30 L29 58 L34 60 L41 40 Z M63 30 L71 58 L66 60 L59 40 Z" fill="${coat}"/>` +
  `<path d="M46 20 L54 20 L54 28 L46 28 Z" fill="#c89878"/><ellipse cx="50" cy="13" rx="7.5" ry="9" fill="#3a2a22"/></g>`;

const blades = (turn: number): string =>
  [0, 90, 180, 270]
    .map(
      (angle) =>
        `<g transform="rotate(${angle + turn * 90} 50 34)"><path d="M49 34 L49 2 L51 2 L51 34 Z" fill="#5a4632"/><path d="M51 4 L59 4 L59 27 L51 27 Z" fill="#efe6d2" fill-opacity="0.9" stroke="#5a4632" stroke-width="0.8"/></g>`,
    )
    .join('');

const tower = (x: number, top: number, wide: number, color: string): string =>
  `<path d="M${x} 98 L${x} ${top} L${x + wide} ${top} L${x + wide} 98 Z" fill="${color}"/><path d="M${x - 2} ${top} L${x + wide / 2} ${top - wide * 1.3} L${x + wide + 2} ${top} Z" fill="#4a5672"/>` +
  `<rect x="${x + wide / 2 - 1.5}" y="${top + 8}" width="3" height="6" fill="${LAMP}"/>`;

const wing = (turn: number): string => {
  const lift = Math.sin(turn * 2 * Math.PI) * 20;
  return `<path d="M2 ${50 - lift} Q26 ${40 - lift * 0.6} 50 54 Q74 ${40 - lift * 0.6} 98 ${50 - lift} Q72 ${50 - lift * 0.2} 56 60 L50 64 L44 60 Q28 ${50 - lift * 0.2} 2 ${50 - lift} Z" fill="#262a34"/>`;
};

const dragon = (turn: number): string => {
  const lift = Math.sin(turn * 2 * Math.PI) * 16;
  return (
    `<path d="M96 58 L88 52 Q80 46 72 50 Q60 54 48 55 Q28 57 4 46 L2 42 Q-2 46 2 50 Q22 66 46 65 Q66 66 76 60 Q82 57 86 61 L97 62 Z" fill="#2a2430"/>` +
    `<path d="M62 54 Q60 ${34 - lift} 44 ${14 - lift} Q46 ${26 - lift} 40 ${30 - lift * 0.7} Q44 ${34 - lift * 0.6} 38 ${40 - lift * 0.4} Q46 44 46 57 Z" fill="#3a3040"/>` +
    `<path d="M86 52 L82 44 L90 51 Z" fill="#2a2430"/>`
  );
};

export const SHAPES: Readonly<Record<Subject, Shape>> = {
  sailboat: still(
    { wide: 92, tall: 0.2, home: 'water' },
    '<path d="M49 6 L51 6 L51 84 L49 84 Z" fill="#5a4632"/><path d="M53 9 Q84 44 84 78 L53 78 Z" fill="#f8f4e8"/><path d="M47 16 Q24 48 20 78 L47 78 Z" fill="#e9e2d0"/><path d="M10 84 Q48 90 88 84 L80 96 Q48 100 22 96 Z" fill="#7a3f2a"/><path d="M10 84 Q48 90 88 84 L87 87 Q48 93 12 87 Z" fill="#f0e6d6"/>',
  ),
  lighthouse: still(
    { wide: 70, tall: 0.36, home: 'far' },
    `<path d="M26 98 L30 30 L42 30 L46 98 Z" fill="#f4f0e8"/><path d="M28.6 54 L43.4 54 L44.3 70 L27.6 70 Z M29.7 36 L42.3 36 L42.8 44 L29.2 44 Z M26.8 84 L45.2 84 L46 98 L26 98 Z" fill="#c63a34"/><rect x="26" y="27" width="20" height="3.5" fill="#3a3f4a"/><rect x="31" y="17" width="10" height="10" fill="${LAMP}"/><path d="M29 17 L36 9 L43 17 Z" fill="#8a2a28"/>`,
  ),
  balloons: still(
    { wide: 74, tall: 0.2, home: 'sky' },
    '<path d="M37 2 Q66 4 66 34 Q66 56 44 76 L30 76 Q8 56 8 34 Q8 4 37 2 Z" fill="#e8503a"/><path d="M37 2 Q50 4 52 34 Q52 56 41 76 L33 76 Q22 56 22 34 Q24 4 37 2 Z" fill="#f8c84a"/><path d="M37 2 Q43 6 43 34 Q43 56 39 76 L35 76 Q31 56 31 34 Q31 6 37 2 Z" fill="#e8503a"/><path d="M31 77 L32 88 M43 77 L42 88" stroke="#5a4632" stroke-width="1"/><rect x="31" y="88" width="12" height="9" rx="1.5" fill="#7a5232"/>',
  ),
  birds: { wide: 100, tall: 0.028, home: 'sky', frames: 10, draw: wing },
  person: still({ wide: 60, tall: 0.22, home: 'near' }, figure(-20, '#3d4a66')),
  astronaut: still(
    { wide: 84, tall: 0.26, home: 'near' },
    '<path d="M26 34 L58 34 L60 72 L24 72 Z" fill="#c9ced6"/><path d="M22 40 L10 62 Q8 68 14 70 L19 68 L30 50 Z M62 40 L75 56 Q78 62 73 66 L68 65 L54 50 Z" fill="#e6e9ee"/><path d="M27 70 L24 96 L38 97 L41 74 L44 74 L48 97 L61 95 L57 70 Z" fill="#e6e9ee"/><rect x="29" y="36" width="26" height="34" rx="7" fill="#f2f4f7"/><rect x="34" y="48" width="16" height="11" rx="2" fill="#7a828e"/><rect x="36" y="50" width="4" height="3" fill="#d0402f"/><rect x="43" y="50" width="4" height="3" fill="#3a7ad0"/><circle cx="42" cy="20" r="17" fill="#f4f6f9"/><path d="M29 20 Q30 10 42 10 Q54 10 55 20 Q54 31 42 31 Q30 31 29 20 Z" fill="#26303e"/><path d="M33 17 Q35 13 41 13 L39 17 Q35 18 33 21 Z" fill="#a8c8e8"/>',
  ),
  couple: still(
    { wide: 110, tall: 0.22, home: 'near' },
    figure(-18, '#3d4a66') +
      figure(20, '#8a3a44') +
      '<path d="M50 56 Q54 62 60 58" stroke="#c89878" stroke-width="4" fill="none"/>',
  ),
  cat: still(
    { wide: 90, tall: 0.12, home: 'near' },
    '<path d="M30 98 Q22 72 34 52 Q30 42 31 26 L40 34 Q47 31 54 34 L63 26 Q64 42 60 52 Q72 72 64 98 Z" fill="#3a3230"/><path d="M62 92 Q84 94 82 74 Q80 62 87 56" stroke="#3a3230" stroke-width="7" fill="none" stroke-linecap="round"/>',
  ),
  wolf: still(
    { wide: 116, tall: 0.13, home: 'near' },
    '<path d="M4 38 L16 30 L20 18 L27 28 Q36 32 44 42 Q62 46 82 42 Q94 42 102 54 Q112 66 113 82 Q104 70 96 62 Q94 70 92 74 L96 98 L89 98 L83 76 Q68 70 54 74 L52 98 L45 98 L44 76 Q36 70 35 60 Q30 52 24 48 L6 45 Z" fill="#34343c"/>',
  ),
  deer: still(
    { wide: 96, tall: 0.2, home: 'near' },
    '<path d="M10 38 L20 30 L24 26 L30 32 Q34 44 40 52 Q58 52 76 51 Q86 52 88 62 L86 70 L83 68 Q84 74 83 80 L85 98 L81 98 L77 78 Q62 72 50 74 L48 98 L44 98 L43 74 Q34 66 32 54 Q28 46 24 43 L11 43 Z" fill="#6a4a34"/><path d="M24 26 Q18 16 20 4 M21 16 Q14 14 11 7 M22 20 Q30 14 30 4 M27 28 Q36 18 40 6 M33 20 Q40 20 44 14" stroke="#5a4030" stroke-width="2" fill="none" stroke-linecap="round"/>',
  ),
  horse: still(
    { wide: 112, tall: 0.22, home: 'near' },
    '<path d="M6 34 L18 22 Q22 12 28 10 L30 17 Q42 22 48 42 Q66 46 84 42 Q96 44 98 58 Q98 66 95 72 L99 98 L93 98 L87 74 Q70 72 58 74 L56 98 L50 98 L48 72 Q40 64 38 50 Q32 42 28 38 L10 42 Z" fill="#5a3626"/><path d="M28 11 Q46 20 50 42 Q42 32 34 28 Z M96 48 Q110 56 106 82 Q100 70 96 62 Z" fill="#2a1a14"/>',
  ),
  cabin: still(
    { wide: 130, tall: 0.16, home: 'far' },
    `<path d="M18 98 L18 52 L112 52 L112 98 Z" fill="#7a5236"/><path d="M18 62 L112 62 M18 72 L112 72 M18 82 L112 82 M18 92 L112 92" stroke="#5a3a26" stroke-width="1.6"/><path d="M8 54 L34 16 L100 16 L122 54 Z" fill="#4a3a34"/><path d="M84 30 L84 6 L95 6 L95 30 Z" fill="#6a5a54"/><rect x="30" y="64" width="16" height="15" fill="${LAMP}"/><rect x="84" y="64" width="16" height="15" fill="${LAMP}"/><path d="M58 98 L58 66 L73 66 L73 98 Z" fill="#3a2618"/><path d="M38 64 L38 79 M30 71.5 L46 71.5 M92 64 L92 79 M84 71.5 L100 71.5" stroke="#4a3222" stroke-width="1.4"/>`,
  ),
  castle: still(
    { wide: 150, tall: 0.32, home: 'far' },
    `<path d="M14 98 L14 66 L20 66 L20 60 L28 60 L28 66 L36 66 L36 60 L44 60 L44 66 L106 66 L106 60 L114 60 L114 66 L122 66 L122 60 L130 60 L130 66 L136 66 L136 98 Z" fill="#8a8892"/>${tower(44, 38, 16, '#9a98a2')}${tower(92, 44, 14, '#84828c')}${tower(66, 26, 20, '#a6a4ae')}${tower(14, 56, 13, '#94929c')}${tower(122, 54, 13, '#7e7c86')}<path d="M68 98 L68 84 Q76 74 84 84 L84 98 Z" fill="#3a342e"/>`,
  ),
  pagoda: still(
    { wide: 90, tall: 0.34, home: 'far' },
    `<path d="M44 14 L46 2 L48 14 Z" fill="#5a4632"/>${[16, 34, 53, 73]
      .map((y, at) => {
        const half = 15 + at * 6;
        return `<path d="M${46 - half} ${y + 9} Q${46 - half * 0.5} ${y + 6} ${46 - half * 0.35} ${y - 2} L${46 + half * 0.35} ${y - 2} Q${46 + half * 0.5} ${y + 6} ${46 + half} ${y + 9} L${46 + half * 0.8} ${y + 10} L${46 - half * 0.8} ${y + 10} Z" fill="#3c4450"/><rect x="${46 - half * 0.55}" y="${y + 10}" width="${half * 1.1}" height="10" fill="#a8402f"/><rect x="${46 - half * 0.2}" y="${y + 12}" width="${half * 0.4}" height="6" fill="${LAMP}"/>`;
      })
      .join('')}<rect x="16" y="93" width="60" height="5" fill="#8a8680"/>`,
  ),
  torii: still(
    { wide: 120, tall: 0.26, home: 'water' },
    '<path d="M6 18 Q60 26 114 18 L112 10 Q60 17 8 10 Z" fill="#2e2a30"/><path d="M10 20 Q60 27 110 20 L109 27 Q60 33 11 27 Z" fill="#d4432e"/><rect x="16" y="40" width="88" height="7" fill="#d4432e"/><path d="M28 26 L36 26 L34 98 L25 98 Z M84 26 L92 26 L95 98 L86 98 Z" fill="#c23a28"/><rect x="56" y="28" width="8" height="13" fill="#2e2a30"/>',
  ),
  windmill: {
    wide: 100,
    tall: 0.34,
    home: 'far',
    frames: 16,
    draw: (turn) =>
      `<path d="M37 98 L43 34 L57 34 L63 98 Z" fill="#e6ddca"/><path d="M41 36 Q50 20 59 36 Z" fill="#8a4a34"/><rect x="47" y="50" width="6" height="8" fill="${LAMP}"/><path d="M46 98 L46 84 L54 84 L54 98 Z" fill="#5a3a26"/>${blades(turn)}`,
  },
  pyramids: still(
    { wide: 260, tall: 0.24, home: 'far' },
    '<path d="M4 98 L78 12 L152 98 Z" fill="#d8ac6c"/><path d="M78 12 L152 98 L96 98 Z" fill="#a67c48"/><path d="M138 98 L192 36 L246 98 Z" fill="#d0a264"/><path d="M192 36 L246 98 L206 98 Z" fill="#9c7242"/><path d="M226 98 L242 78 L258 98 Z" fill="#c4985c"/>',
  ),
  cactus: still(
    { wide: 70, tall: 0.26, home: 'near' },
    '<path d="M30 98 L30 12 Q35 4 40 12 L40 98 Z M30 60 L18 60 Q10 58 10 48 L10 32 Q14 26 18 32 L18 48 L30 50 Z M40 52 L52 50 L52 28 Q56 22 60 28 L60 52 Q60 60 50 61 L40 62 Z" fill="#4c7a44"/><path d="M34 12 L34 98 M37 12 L37 98" stroke="#3a6236" stroke-width="1"/>',
  ),
  palms: still({ wide: 10, tall: 0.01, home: 'near' }, ''),
  whale: {
    wide: 130,
    tall: 0.16,
    home: 'water',
    frames: 1,
    draw: () =>
      '<path d="M62 98 Q60 66 50 48 Q30 44 14 22 Q36 20 56 36 Q64 42 66 46 Q68 42 76 36 Q96 20 118 22 Q102 44 82 48 Q74 66 76 98 Z" fill="#2c3c4c"/>',
  },
  rocket: still(
    { wide: 44, tall: 0.3, home: 'sky' },
    `<path d="M22 2 Q34 22 33 62 L11 62 Q10 22 22 2 Z" fill="#e8ecf2"/><path d="M22 2 Q34 22 33 62 L24 62 Q26 22 22 2 Z" fill="#b8c0cc"/><path d="M11 46 L2 70 L11 66 Z M33 46 L42 70 L33 66 Z" fill="#d0402f"/><circle cx="21" cy="30" r="5" fill="#2a4a6a" stroke="#8a929e" stroke-width="1.6"/><path d="M14 64 L30 64 L28 69 L16 69 Z" fill="#4a4f5a"/><path d="M16 70 Q22 100 28 70 Z" fill="${LAMP}"/>`,
  ),
  airplane: still(
    { wide: 160, tall: 0.06, home: 'sky' },
    '<path d="M6 56 Q16 44 40 46 L74 46 L96 8 L106 10 L96 46 L132 44 L146 16 L154 18 L146 50 Q120 66 60 68 Q20 68 6 56 Z" fill="#e4e9f0"/><path d="M6 56 Q60 62 146 50 Q120 66 60 68 Q20 68 6 56 Z" fill="#aab4c2"/><path d="M66 58 L92 90 L102 88 L92 58 Z" fill="#c6cfda"/>',
  ),
  dragon: { wide: 100, tall: 0.3, home: 'sky', frames: 12, draw: dragon },
  train: still(
    { wide: 420, tall: 0.075, home: 'road' },
    `<path d="M6 90 L6 40 Q8 18 36 16 L134 16 L134 90 Z" fill="#b03a34"/><path d="M140 16 L272 16 L272 90 L140 90 Z M278 16 L410 16 L410 90 L278 90 Z" fill="#a23530"/><path d="M6 66 L410 66 L410 74 L6 74 Z" fill="#efe6d6"/>${[20, 46, 72, 98, 150, 176, 202, 228, 288, 314, 340, 366].map((x) => `<rect x="${x}" y="28" width="18" height="24" rx="3" fill="${LAMP}"/>`).join('')}<path d="M20 92 L400 92" stroke="#2a2a30" stroke-width="10" stroke-dasharray="14 18"/>`,
  ),
  car: still(
    { wide: 210, tall: 0.1, home: 'road' },
    `<path d="M6 78 Q4 56 26 52 L58 48 Q76 20 106 20 L140 20 Q160 22 174 48 Q200 50 204 64 L204 80 Z" fill="#b8322c"/><path d="M68 48 Q82 27 104 27 L106 48 Z M112 27 L138 27 Q152 29 162 48 L112 48 Z" fill="#26303c"/><circle cx="50" cy="80" r="17" fill="#1e2026"/><circle cx="162" cy="80" r="17" fill="#1e2026"/><circle cx="50" cy="80" r="8" fill="#9aa2ae"/><circle cx="162" cy="80" r="8" fill="#9aa2ae"/><rect x="4" y="58" width="9" height="7" rx="2" fill="${LAMP}"/>`,
  ),
};
