import { type HiddenValues, pythonJson } from '@atelier/engine';
import type { Tags } from './media-writer.ts';

/** The graph and what the editor sent along, as tags of a file. */
export function containerTags({ promptText, extraPngInfo = {} }: HiddenValues): Tags {
  const tags = promptText === undefined ? [] : [['prompt', promptText] as const];
  const extra = Object.entries(extraPngInfo).map(([key, value]) => [key, pythonJson(value)] as const);
  return Object.fromEntries([...tags, ...extra]);
}
