import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type EngineEvent, runWorkflow } from '@atelier/engine';
import sharp from 'sharp';

test('a node that works through a batch for long shows its pictures, and says how far it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-previews-'));
  const events: EngineEvent[] = [];
  const outcome = await runWorkflow(
    {
      1: { class_type: 'EmptyImage', inputs: { width: 900, height: 600, batch_size: 16, color: 0x40a060 } },
      2: { class_type: 'ImageQuantize', inputs: { image: ['1', 0], colors: 16, dither: 'floyd-steinberg' } },
      3: { class_type: 'ImageAddNoise', inputs: { image: ['2', 0], seed: 1, strength: 0.2 } },
      4: { class_type: 'GetImageSize', inputs: { image: ['3', 0] } },
      5: { class_type: 'PreviewAny', inputs: { source: ['4', 2] } },
    },
    {
      packs: { modules: [new URL('../index.ts', import.meta.url).href] },
      folder,
      onEvent: (event) => events.push(event),
    },
  );
  rmSync(folder, { recursive: true, force: true });
  assert.deepEqual(outcome.outputs['5'], { text: ['16'] });
  const progress = events.flatMap((event) => (event.type === 'progress' ? [event] : []));
  assert.deepEqual(progress.findLast(({ data }) => data.node === '3')?.data, {
    value: 16,
    max: 16,
    prompt_id: progress[0]?.data.prompt_id,
    node: '3',
  });
  const shown = progress.find(({ preview }) => preview)?.preview;
  assert.ok(shown, 'one of the two took longer than half a second');
  assert.equal(shown.data.image_type, 'image/jpeg');
  const { width, height, format } = await sharp(shown.bytes).metadata();
  assert.deepEqual([width, height, format], [512, 341, 'jpeg']);
  assert.ok(events.some((event) => event.type === 'text' && event.data.text.includes('900')));
});
