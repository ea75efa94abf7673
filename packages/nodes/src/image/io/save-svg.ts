import {
  defineNode,
  type HiddenValues,
  link,
  output,
  parsePythonJson,
  pythonJson,
  string,
} from '@atelier/engine';
import { saveNumbered } from '../../files/save-path.ts';
import { METADATA_INPUTS } from './job-metadata.ts';
import { PREFIX_TOOLTIP } from './save-image.ts';

/** SVG: the text of drawings in UTF-8. */
export interface Svg {
  readonly data: readonly Uint8Array[];
}

declare module '@atelier/engine' {
  interface SocketTypes {
    SVG: Svg;
  }
}

export const saveSvg = defineNode({
  type: 'SaveSVGNode',
  title: 'Save SVG',
  category: 'image',
  description: 'Saves drawings as SVG files in the output folder.',
  searchAliases: ['export vector', 'save vector graphics'],
  outputNode: true,
  inputs: {
    svg: link('SVG'),
    filename_prefix: string({ default: 'svg/ComfyUI', tooltip: PREFIX_TOOLTIP }),
  },
  hidden: METADATA_INPUTS,
  outputs: [output('SVG', { name: 'svg' })],
  async run({ svg, filename_prefix: prefix }, context) {
    const metadata = metadataElement(context.hidden);
    const drawings = svg.data.map((bytes) => {
      const text = Buffer.from(bytes).toString();
      return Buffer.from(text.replaceAll(/<svg[^>]*>/g, (tag) => tag + metadata));
    });
    return {
      outputs: [svg],
      ui: { images: await saveNumbered(prefix, drawings, { ending: '_.svg' }, context) },
    };
  },
});

function metadataElement({ promptText, extraPngInfo = {} }: HiddenValues): string {
  const all = new Map<string, unknown>();
  if (promptText !== undefined) all.set('prompt', parsePythonJson(promptText));
  for (const [key, value] of Object.entries(extraPngInfo)) all.set(key, value);
  if (all.size === 0) return '';
  // A string may contain the end of the section, so it is escaped.
  const json = pythonJson(all, { indent: 2 }).replaceAll(']]>', String.raw`]]\u003e`);
  return `\n  <metadata>\n    <![CDATA[\n${json}\n    ]]>\n  </metadata>\n`;
}
