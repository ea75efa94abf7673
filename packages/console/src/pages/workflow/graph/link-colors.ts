/** The colors of links and sockets in ComfyUI's own editor, so that users recognize them. */
const COLORS: Readonly<Record<string, string>> = {
  AUDIO: '#c58fd8',
  BOOLEAN: '#7fb38f',
  CLIP: '#ffd500',
  CLIP_VISION: '#a8dadc',
  CLIP_VISION_OUTPUT: '#ad7452',
  COMBO: '#a0a0a8',
  CONDITIONING: '#ffa931',
  CONTROL_NET: '#6ee7b7',
  FLOAT: '#8fc18f',
  GUIDER: '#66ffff',
  IMAGE: '#64b5f6',
  INT: '#8fb8a8',
  LATENT: '#ff9cf9',
  MASK: '#81c784',
  MODEL: '#b39ddb',
  NOISE: '#b0b0b0',
  SAMPLER: '#ecb4b4',
  SIGMAS: '#cdffcd',
  STRING: '#9aa7c4',
  STYLE_MODEL: '#c2ffae',
  TAESD: '#dcc274',
  VAE: '#ff6e6e',
  VIDEO: '#e08f6a',
};

/** The color of a type in both themes, because pale colors would be invisible on white. */
export function colorOfType(type: string): string {
  const color = Object.hasOwn(COLORS, type) ? (COLORS[type] as string) : otherColor(type);
  return `light-dark(color-mix(in oklab, ${color} 72%, black), ${color})`;
}

/** A type from a pack gets a stable color of its own. */
function otherColor(type: string): string {
  if (type === '*') return '#a0a0a8';
  let hash = 0;
  for (let index = 0; index < Math.min(type.length, 64); index += 1)
    hash = (hash * 31 + type.charCodeAt(index)) % 360;
  return `hsl(${hash} 55% 68%)`;
}
