import { defineNode, dynamicCombo, link, output, string } from '@atelier/engine';

export const buildJsonPromptIdeogram = defineNode({
  type: 'BuildJsonPromptIdeogram',
  title: 'Build JSON Prompt (Ideogram)',
  category: 'text',
  description: 'Puts a structured prompt together: what the image shows, its style, and where things are.',
  experimental: true,
  inputs: {
    element: link('ARRAY', { tooltip: 'What is where, from a node that places elements.' }),
    high_level_description: string({
      multiline: true,
      default: '',
      tooltip: 'The image in a sentence or two; left out when empty.',
    }),
    background: string({ multiline: true, default: '', tooltip: 'What is behind everything.' }),
    style: dynamicCombo({
      none: {},
      photo: { photo: string({ default: '', tooltip: 'Camera and lens, such as 35mm or f/1.4.' }) },
      art_style: {
        art_style: string({ default: '', tooltip: 'The art style, such as flat vector illustration.' }),
      },
    }),
    aesthetics: string({ default: '', tooltip: 'The mood, in keywords.' }),
    lighting: string({ default: '', tooltip: 'How it is lit.' }),
    medium: string({ default: '', tooltip: 'What it is made as, such as photograph or painting.' }),
    color_palette: link('COLORS', {
      default: [],
      tooltip: 'Colors that should dominate, as hexadecimal codes.',
    }),
  },
  outputs: [output('DICT', { name: 'prompt' })],
  run({
    element,
    high_level_description: overview,
    background,
    style,
    aesthetics,
    lighting,
    medium,
    color_palette,
  }) {
    const described = style.choice !== 'none' && {
      aesthetics,
      lighting,
      ...(style.choice === 'photo' ? { photo: style.photo, medium } : { medium, art_style: style.art_style }),
      ...paletteOf(color_palette),
    };
    const prompt = {
      ...(overview.trim() === '' ? {} : { high_level_description: overview }),
      ...(described ? { style_description: described } : {}),
      compositional_deconstruction: { background, elements: Array.isArray(element) ? element : [] },
    };
    return [prompt];
  },
});

function paletteOf(raw: unknown): { readonly color_palette?: readonly string[] } {
  const values = typeof raw === 'object' && raw !== null ? Object.values(raw) : [];
  const colors = values.filter((value): value is string => typeof value === 'string' && value !== '');
  return colors.length > 0 ? { color_palette: colors.map((color) => color.toUpperCase()) } : {};
}
