import type { Vocabulary } from './effect.ts';

/** Words for the quality of the light. */
export const QUALITIES: Vocabulary = [
  ['soft|soft light|softly|diffused|diffuse|gentle|delicate|feathered', { softness: 0.6, contrast: -0.2 }],
  [
    'hard|hard light|harsh|harsh light|crisp|sharp light|strong shadow|hard shadow',
    { softness: -0.7, contrast: 0.35 },
  ],
  [
    'dramatic|dramatic light|moody|intense|epic|film noir|noir|chiaroscuro|baroque',
    { contrast: 0.55, softness: -0.2, exposure: -0.35, vignette: 0.4, rim: 0.2 },
  ],
  [
    'cinematic|cinematic light|filmic|movie still',
    { contrast: 0.3, exposure: -0.2, shade: '#5f8596', rim: 0.25, vignette: 0.25, saturation: -0.05 },
  ],
  [
    'low key|dark|dim|dimly light|gloomy|shadowy|underexposed',
    { exposure: -0.9, contrast: 0.4, vignette: 0.3 },
  ],
  [
    'high key|bright|airy|luminous|well light|overexposed',
    { exposure: 0.6, contrast: -0.35, softness: 0.35 },
  ],
  ['brilliant|radiant|dazzling|blinding', { exposure: 0.5, glow: 0.35 }],
  ['flat light|even light|shadowless|uniform light', { contrast: -0.7, softness: 0.6 }],
  ['high contrast|contrasty|deep shadow', { contrast: 0.5 }],
  ['low contrast', { contrast: -0.5 }],
  [
    'volumetric|volumetric light|god ray|light ray|sun ray|crepuscular ray|light shaft|sunbeam|light beam',
    { rays: 1, haze: 0.15, contrast: 0.1 },
  ],
  ['atmospheric|atmosphere', { haze: 0.25 }],
  ['glow|glowing|bloom|halo|shimmering', { glow: 0.6 }],
  ['lens flare|flare|sun flare', { glow: 0.5, rays: 0.3 }],
  ['vignette', { vignette: 0.6 }],
  ['natural|realistic|photorealistic', { softness: 0.1 }],
  ['luxury|elegant|premium', { contrast: 0.2, rim: 0.25, vignette: 0.2 }],
  ['fresh|clean', { exposure: 0.2, warmth: -0.1 }],
  ['romantic', { warmth: 0.4, glow: 0.25, softness: 0.3 }],
  ['vintage|retro|nostalgic', { warmth: 0.35, saturation: -0.15, haze: 0.12 }],
];
