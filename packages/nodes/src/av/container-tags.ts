import type { HiddenValues } from '@atelier/engine';
import { pythonJson } from '../values/python-json.ts';
import type { Tags } from './media-writer.ts';

/** The graph and what the editor sent along, as tags of a file. */
export function containerTags({ prompt, extraPngInfo = {} }: HiddenValues): Tags {
  const tags = prompt === undefined ? [] : [['prompt', pythonJson(prompt)] as const];
  const extra = Object.entries(extraPngInfo).map(([key, value]) => [key, pythonJson(value)] as const);
  return Object.fromEntries([...tags, ...extra]);
}
