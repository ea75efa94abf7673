import type { Direction, Vocabulary } from './effect.ts';

const LEFT: Direction = [-1, -0.25, 0.45];
const RIGHT: Direction = [1, -0.25, 0.45];
const ABOVE: Direction = [0.12, -1, 0.35];
const BELOW: Direction = [0, 1, 0.4];
const FRONT: Direction = [-0.1, -0.2, 1];
const BEHIND: Direction = [0.35, -0.55, -0.8];

/** Words for where the light comes from. Articles are left out, and `light` stands for lit, lights and lighting. */
export const DIRECTIONS: Vocabulary = [
  [
    'from left|left light|on left|left side|camera left|light left|left hand side|leftwards',
    { from: [LEFT] },
  ],
  ['from right|right light|on right|right side|camera right|light right|right hand side', { from: [RIGHT] }],
  ['upper left|top left|above left|left above|high left', { from: [[-0.8, -0.75, 0.45]] }],
  ['upper right|top right|above right|right above|high right', { from: [[0.8, -0.75, 0.45]] }],
  ['lower left|bottom left|below left', { from: [[-0.85, 0.7, 0.4]] }],
  ['lower right|bottom right|below right', { from: [[0.85, 0.7, 0.4]] }],
  ['from above|from top|top light|overhead|overhead light|from sky|zenith|high sun', { from: [ABOVE] }],
  ['down light|downlight|skylight|pendant lamp|ceiling light', { from: [ABOVE], softness: 0.1 }],
  ['from below|from underneath|from bottom|under light|underlight|footlight|uplight', { from: [BELOW] }],
  [
    'from front|front light|frontal|frontal light|flash|on camera flash|ring light',
    { from: [FRONT], contrast: -0.25 },
  ],
  ['from camera|facing light|headlight', { from: [FRONT], contrast: -0.1 }],
  [
    'from behind|from back|back light|backlight|backlit|contre jour|against light|against sun',
    { from: [BEHIND], rim: 1, contrast: 0.15, exposure: -0.3, glow: 0.25 },
  ],
  [
    'behind subject|behind her|behind him|behind it|behind them|sun behind|light behind',
    { from: [BEHIND], rim: 0.9, exposure: -0.25, glow: 0.25 },
  ],
  [
    'rim light|edge light|hair light|kicker|kicker light|halo light',
    { from: [[0.75, -0.5, -0.75]], rim: 1.25 },
  ],
  ['silhouette|silhouetted', { from: [BEHIND], rim: 0.7, exposure: -1.1, contrast: 0.5 }],
  [
    'side light|from side|sidelight|raking light|cross light|profile light',
    { from: [[-1, -0.1, 0.25]], contrast: 0.15 },
  ],
  [
    'both side|from both side|clamshell light|two softbox',
    {
      from: [
        [-1, -0.2, 0.4],
        [1, -0.2, 0.4],
      ],
    },
  ],
  [
    'rembrandt|rembrandt light|three quarter light|45 degree',
    { from: [[-0.75, -0.7, 0.6]], contrast: 0.3, softness: -0.1 },
  ],
  ['split light|half light|half lit face', { from: [[-1, -0.05, 0.05]], contrast: 0.5, softness: -0.3 }],
  ['loop light', { from: [[-0.5, -0.6, 0.75]], contrast: 0.1 }],
  [
    'butterfly light|paramount light|beauty light|beauty dish',
    { from: [[0, -0.8, 0.8]], softness: 0.2, glow: 0.1 },
  ],
  [
    'spotlight|spot light|follow spot',
    { from: [[-0.35, -0.95, 0.5]], contrast: 0.5, softness: -0.35, vignette: 0.55 },
  ],
];
