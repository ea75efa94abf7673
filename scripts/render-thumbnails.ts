/** `npm run examples:thumbnails`: runs every example workflow and makes its thumbnail of what comes out. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAtelier, loadWorkflow } from '@atelier/sdk';
import { startServer } from '@atelier/testing';
import sharp from 'sharp';

import { ROOT } from './run-command.ts';

const FOLDER = join(ROOT, 'examples', 'workflows');
const EDGE = 400;
const MAX_BYTES = 30_000;

await using server = await startServer();
const atelier = createAtelier({ url: server.url, apiKey: server.admin.api_key });
for (const file of globSync('*.json', { cwd: FOLDER }).toSorted()) {
  const workflow = loadWorkflow(readFileSync(join(FOLDER, file), 'utf8'));
  const { outputs } = await (await atelier.jobs.submit(workflow)).result();
  const [output] = outputs;
  if (!output) throw new Error(`${file} makes nothing`);
  const bytes = await thumbnail(
    output.type.startsWith('video/') ? await firstFrame(output.name) : await output.download(),
  );
  writeFileSync(join(FOLDER, file.replace('.json', '.webp')), bytes);
  process.stdout.write(`${file}: ${bytes.length} bytes\n`);
}

/** The best quality that is small enough. */
async function thumbnail(picture: Uint8Array): Promise<Buffer> {
  const small = sharp(picture).resize(EDGE, EDGE, { fit: 'inside' });
  for (let quality = 90; quality > 20; quality -= 10) {
    const bytes = await small.clone().webp({ quality, effort: 6 }).toBuffer();
    if (bytes.length < MAX_BYTES) return bytes;
  }
  throw new Error('The picture does not become small.');
}

async function firstFrame(name: string): Promise<Uint8Array> {
  const uploaded = await atelier.files.open({ filename: name, type: 'output' }).download();
  const { name: stored } = await atelier.files.upload(new File([new Uint8Array(uploaded)], name));
  const { outputs } = await (
    await atelier.jobs.submit({
      1: { class_type: 'LoadVideo', inputs: { file: stored } },
      2: { class_type: 'GetVideoComponents', inputs: { video: ['1', 0] } },
      3: { class_type: 'ImageFromBatch', inputs: { image: ['2', 0], batch_index: 0, length: 1 } },
      4: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'frame' } },
    })
  ).result();
  const [frame] = outputs;
  if (!frame) throw new Error(`${name} has no frame`);
  return await frame.download();
}
