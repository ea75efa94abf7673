import { type HiddenValues, pythonJson } from '@atelier/engine';
import type { PngText } from '../codecs/png-chunks.ts';
import type { ExifText } from '../codecs/webp-exif.ts';

/** The hidden inputs of nodes that write metadata. */
export const METADATA_INPUTS = { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' } as const;

/** The submitted graph, then everything that the client sent along, such as its `workflow`. */
export function metadataTexts({ promptText, extraPngInfo = {} }: HiddenValues): readonly PngText[] {
  const extra = Object.entries(extraPngInfo).map(([key, value]): PngText => [key, pythonJson(value)]);
  return promptText === undefined ? extra : [['prompt', promptText], ...extra];
}

const MODEL_TAG = 0x0110;
const MAKE_TAG = 0x010f;

/** The same as EXIF tags: the graph is the camera's model, the rest is its make and the tags below. */
export function metadataExif({ promptText, extraPngInfo = {} }: HiddenValues): readonly ExifText[] {
  const extra = Object.entries(extraPngInfo).map(
    ([key, value], index): ExifText => [MAKE_TAG - index, `${key}:${pythonJson(value)}`],
  );
  return promptText === undefined ? extra : [[MODEL_TAG, `prompt:${promptText}`], ...extra];
}
