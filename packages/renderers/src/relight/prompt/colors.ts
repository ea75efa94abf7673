import type { Vocabulary } from './effect.ts';

/** Words for the color of the light. */
export const LIGHT_COLORS: Vocabulary = [
  ['warm|warm light|warmer|warm tone|cozy|cosy', { warmth: 0.55 }],
  ['very warm|hot light', { warmth: 0.85 }],
  ['cold|cool|cold light|cool light|cooler|cool tone|icy|chilly|wintry', { warmth: -0.65 }],
  ['neutral|neutral light|white light|pure white', { color: '#ffffff', warmth: 0 }],
  ['daylight|natural light|5600k|d65', { color: '#fff8f0', softness: 0.1 }],
  [
    'sunlight|sunny|sunshine|sunlit|direct sun',
    { color: '#ffe6bd', exposure: 0.2, contrast: 0.25, softness: -0.25 },
  ],
  ['teal orange|orange teal', { color: '#ffa55a', shade: '#1f8fa0', saturation: 0.1, contrast: 0.1 }],
  [
    'tungsten|incandescent|light bulb|lamp light|lamplight|3200k|edison bulb',
    { color: '#ffb168', softness: 0.1 },
  ],
  [
    'fluorescent|office light|strip light',
    { color: '#e6ffea', softness: 0.3, contrast: -0.2, saturation: -0.1 },
  ],
  ['halogen|car headlight', { color: '#fff0d6', contrast: 0.3, softness: -0.3 }],
  ['sodium|sodium vapor|street lamp|streetlight|street light', { color: '#ff9a3c', contrast: 0.3 }],
  ['led light|rgb light', { color: '#f2f6ff', saturation: 0.1 }],
  [
    'neon|neon light|neon sign|vaporwave|synthwave|cyberpunk',
    {
      from: [
        [-0.95, -0.2, 0.25],
        [0.95, -0.2, 0.25],
      ],
      color: '#ff3fc0',
      shade: '#2a3cff',
      exposure: -0.35,
      contrast: 0.45,
      rim: 0.5,
      saturation: 0.25,
      glow: 0.35,
      backdrop: {
        form: 'street',
        sky: ['#0a0820', '#1d1140', '#3a1550'],
        ground: '#0c0a18',
        lamps: ['#ff3fc0', '#2fd8ff', '#8a4dff'],
      },
    },
  ],
  [
    'rainbow|iridescent|holographic|prismatic',
    { color: '#ff7ad9', shade: '#4de1ff', saturation: 0.3, glow: 0.15 },
  ],
  ['vivid|vibrant|saturated|colorful|colorful', { saturation: 0.3 }],
  ['muted|desaturated|pastel|faded|washed out', { saturation: -0.3 }],
  ['monochrome|black white|grayscale|greyscale', { saturation: -1 }],
];

/** Colors that things have too: they count only where the prompt speaks of light. */
export const NAMED_COLORS: Vocabulary = [
  ['golden|gold', { color: '#ffc25e', warmth: 0.25 }],
  ['amber|honey', { color: '#ffb347' }],
  ['orange', { color: '#ff8a2b' }],
  ['peach|apricot|salmon|coral', { color: '#ffab85' }],
  ['yellow|lemon', { color: '#ffe14a' }],
  ['red|crimson|scarlet|ruby|blood red', { color: '#ff2a22' }],
  ['pink|hot pink|rose', { color: '#ff5fa8' }],
  ['magenta|fuchsia', { color: '#ff2fd6' }],
  ['purple|violet|lavender|ultraviolet', { color: '#9a4dff' }],
  ['indigo', { color: '#5a45ff' }],
  ['blue|azure|cobalt|sapphire', { color: '#2f6dff' }],
  ['deep blue|navy', { color: '#1c3fd0', exposure: -0.2 }],
  ['cyan|aqua|electric blue', { color: '#28d7ff' }],
  ['teal|turquoise', { color: '#1fc8b8' }],
  ['green|emerald|lime|toxic', { color: '#4cff5e' }],
  ['white|bright white', { color: '#ffffff' }],
  ['sepia|brown|bronze|copper', { color: '#d99a5b', saturation: -0.15 }],
];
