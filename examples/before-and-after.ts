/**
 * Shows what each setting of the local renderers does: `npx node examples/before-and-after.ts`, then open
 * `examples/work/before-and-after/index.html`. `--edge 256` makes small pictures, `--seconds 1` short videos, `--only skin` (or `relight`,
 * `video`) a part.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRenderers } from '@atelier/renderers';

import { renderPage } from './before-and-after/page.ts';
import { relightStrips } from './before-and-after/relight.ts';
import { skinStrips } from './before-and-after/skin.ts';
import type { Strip, Studio } from './before-and-after/strip.ts';
import { videoStrips } from './before-and-after/video.ts';

const PARTS = { skin: skinStrips, relight: relightStrips, video: videoStrips } as const;

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: join(import.meta.dirname, 'work/before-and-after') },
    edge: { type: 'string', default: '640' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
});
const { folder } = values;
await mkdir(folder, { recursive: true });
const renderers = createRenderers({ threads: 1 });
const studio: Studio = {
  folder,
  edge: Number(values.edge),
  seconds: Number(values.seconds),
  render: renderers.render,
};
const strips: Strip[] = [];
for (const [name, make] of Object.entries(PARTS)) {
  if (values.only !== undefined && values.only !== name) continue;
  for await (const strip of make(studio)) {
    strips.push(strip);
    console.log(`${strip.title}: ${strip.shots.map(({ caption }) => caption).join(', ')}`);
  }
}
await renderers.close();
const page = join(folder, 'index.html');
await writeFile(page, renderPage(strips));
console.log(page);
