import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TemplateCategory } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';

import { systemClock } from '../platform/clock.ts';
import { memoizeFor } from '../platform/memoize-for.ts';

/** Written by the author of an example, in `extra.atelier` of the workflow. */
interface About {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
}

export type Examples = ReturnType<typeof createExamples>;

/** The example workflows of the installation: `<name>.json` beside `<name>.webp`. Read once, when first needed. */
export function createExamples(folder: string) {
  const read = memoizeFor(Number.POSITIVE_INFINITY, systemClock, async () => {
    const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).toSorted();
    const examples = new Map<string, { readonly text: string; readonly thumbnail: Buffer }>();
    const templates: TemplateCategory['templates'] = [];
    for (const file of files) {
      const name = file.slice(0, -'.json'.length);
      const text = await readFile(join(folder, file), 'utf8');
      const thumbnail = await readFile(join(folder, `${name}.webp`));
      const { title, description, tags } = aboutOf(JSON.parse(text), file);
      examples.set(name, { text, thumbnail });
      templates.push({ name, title, description, tags: [...tags], mediaType: 'image', mediaSubtype: 'webp' });
    }
    const category: TemplateCategory = {
      moduleName: 'default',
      title: 'Examples',
      type: 'image',
      isEssential: true,
      templates,
    };
    return { index: JSON.stringify([category]), examples };
  });
  return {
    /** The index of templates, as the stock frontend reads it. */
    index: async () => (await read()).index,
    find: async (name: string) => (await read()).examples.get(name),
  };
}

function aboutOf(workflow: unknown, file: string): About {
  const extra = isObject(workflow) ? workflow['extra'] : undefined;
  const about = isObject(extra) ? extra['atelier'] : undefined;
  if (!isObject(about) || typeof about['title'] !== 'string')
    throw new Error(`${file} says nothing of itself`);
  return about as unknown as About;
}
