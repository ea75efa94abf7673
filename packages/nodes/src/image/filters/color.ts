import { defineNode, link, output, valueError } from '@atelier/engine';

export const colorToRgbInt = defineNode({
  type: 'ColorToRGBInt',
  title: 'Color Picker',
  category: 'utilities',
  description: 'Gives a color as a number and as hexadecimal text.',
  inputs: { color: link('COLOR', { default: '#ffffff', socketless: true }) },
  outputs: [
    output('INT', { name: 'rgb_int' }),
    output('COLOR', { name: 'hex' }),
    output('FLOAT', { name: 'alpha' }),
  ],
  run({ color }) {
    const match = /^#([0-9a-f]{6})([0-9a-f]{2})?$/i.exec(String(color));
    const rgb = match?.[1];
    if (!rgb) throw valueError('A color is written #RRGGBB or #RRGGBBAA, such as #ff8800.');
    return [Number.parseInt(rgb, 16), `#${rgb}`, Number.parseInt(match[2] ?? 'ff', 16) / 255];
  },
});
