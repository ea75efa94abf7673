import { LAMP } from './flyers.ts';

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

const pennant = (x: number, y: number, turn: number): string => {
  const wave = Math.sin(turn * 2 * Math.PI) * 1.6;
  return `<path d="M${x} ${y} L${x} ${y - 9}" stroke="#3a342e" stroke-width="0.8"/><path d="M${x} ${y - 9} Q${x + 4} ${y - 9 + wave} ${x + 9} ${y - 7 - wave} Q${x + 4} ${y - 6 + wave} ${x} ${y - 5} Z" fill="#c8402f"/>`;
};

export const LIGHTHOUSE = `<path d="M26 98 L30 30 L42 30 L46 98 Z" fill="#f4f0e8"/><path d="M28.6 54 L43.4 54 L44.3 70 L27.6 70 Z M29.7 36 L42.3 36 L42.8 44 L29.2 44 Z M26.8 84 L45.2 84 L46 98 L26 98 Z" fill="#c63a34"/><rect x="26" y="27" width="20" height="3.5" fill="#3a3f4a"/><rect x="31" y="17" width="10" height="10" fill="${LAMP}"/><path d="M29 17 L36 9 L43 17 Z" fill="#8a2a28"/>`;

export const CABIN = `<path d="M18 98 L18 52 L112 52 L112 98 Z" fill="#7a5236"/><path d="M18 62 L112 62 M18 72 L112 72 M18 82 L112 82 M18 92 L112 92" stroke="#5a3a26" stroke-width="1.6"/><path d="M8 54 L34 16 L100 16 L122 54 Z" fill="#4a3a34"/><path d="M84 30 L84 6 L95 6 L95 30 Z" fill="#6a5a54"/><rect x="30" y="64" width="16" height="15" fill="${LAMP}"/><rect x="84" y="64" width="16" height="15" fill="${LAMP}"/><path d="M58 98 L58 66 L73 66 L73 98 Z" fill="#3a2618"/><path d="M38 64 L38 79 M30 71.5 L46 71.5 M92 64 L92 79 M84 71.5 L100 71.5" stroke="#4a3222" stroke-width="1.4"/>`;

export const PAGODA = `<path d="M44 14 L46 2 L48 14 Z" fill="#5a4632"/>${[16, 34, 53, 73]
  .map((y, at) => {
    const half = 15 + at * 6;
    return `<path d="M${46 - half} ${y + 9} Q${46 - half * 0.5} ${y + 6} ${46 - half * 0.35} ${y - 2} L${46 + half * 0.35} ${y - 2} Q${46 + half * 0.5} ${y + 6} ${46 + half} ${y + 9} L${46 + half * 0.8} ${y + 10} L${46 - half * 0.8} ${y + 10} Z" fill="#3c4450"/><rect x="${46 - half * 0.55}" y="${y + 10}" width="${half * 1.1}" height="10" fill="#a8402f"/><rect x="${46 - half * 0.2}" y="${y + 12}" width="${half * 0.4}" height="6" fill="${LAMP}"/>`;
  })
  .join('')}<rect x="16" y="93" width="60" height="5" fill="#8a8680"/>`;

export const TORII =
  '<path d="M6 18 Q60 26 114 18 L112 10 Q60 17 8 10 Z" fill="#2e2a30"/><path d="M10 20 Q60 27 110 20 L109 27 Q60 33 11 27 Z" fill="#d4432e"/><rect x="16" y="40" width="88" height="7" fill="#d4432e"/><path d="M28 26 L36 26 L34 98 L25 98 Z M84 26 L92 26 L95 98 L86 98 Z" fill="#c23a28"/><rect x="56" y="28" width="8" height="13" fill="#2e2a30"/>';

export const PYRAMIDS =
  '<path d="M4 98 L78 12 L152 98 Z" fill="#d8ac6c"/><path d="M78 12 L152 98 L96 98 Z" fill="#a67c48"/><path d="M138 98 L192 36 L246 98 Z" fill="#d0a264"/><path d="M192 36 L246 98 L206 98 Z" fill="#9c7242"/><path d="M226 98 L242 78 L258 98 Z" fill="#c4985c"/>';

export const CACTUS =
  '<path d="M30 98 L30 12 Q35 4 40 12 L40 98 Z M30 60 L18 60 Q10 58 10 48 L10 32 Q14 26 18 32 L18 48 L30 50 Z M40 52 L52 50 L52 28 Q56 22 60 28 L60 52 Q60 60 50 61 L40 62 Z" fill="#4c7a44"/><path d="M34 12 L34 98 M37 12 L37 98" stroke="#3a6236" stroke-width="1"/>';

/** Flags fly from its highest towers. */
export function drawCastle(turn: number): string {
  return `<path d="M14 98 L14 66 L20 66 L20 60 L28 60 L28 66 L36 66 L36 60 L44 60 L44 66 L106 66 L106 60 L114 60 L114 66 L122 66 L122 60 L130 60 L130 66 L136 66 L136 98 Z" fill="#8a8892"/>${tower(44, 38, 16, '#9a98a2')}${tower(92, 44, 14, '#84828c')}${tower(66, 26, 20, '#a6a4ae')}${tower(14, 56, 13, '#94929c')}${tower(122, 54, 13, '#7e7c86')}<path d="M68 98 L68 84 Q76 74 84 84 L84 98 Z" fill="#3a342e"/>${pennant(76, 1, turn)}${pennant(52, 18, turn + 0.4)}`;
}

export function drawWindmill(turn: number): string {
  return `<path d="M37 98 L43 34 L57 34 L63 98 Z" fill="#e6ddca"/><path d="M41 36 Q50 20 59 36 Z" fill="#8a4a34"/><rect x="47" y="50" width="6" height="8" fill="${LAMP}"/><path d="M46 98 L46 84 L54 84 L54 98 Z" fill="#5a3a26"/>${blades(turn)}`;
}
