import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runWorkflow } from '@atelier/engine';
import { pngParts } from '../codecs/test/image-io-fixture.ts';

const SUBMITTED = `{"9":{"class_type":"SaveImage","inputs":{"images":["3",0],"filename_prefix":"ü"}},
  "3":{"class_type":"ImageScaleBy","inputs":{"image":["2",0],"upscale_method":"area","scale_by":1}},
  "2":{"class_type":"ImageAddNoise","inputs":{"image":["10",0],"seed":"18446744073709551615","strength":0.5}},
  "10":{"class_type":"EmptyImage","inputs":{"width":2,"height":2,"batch_size":1.0,"color":0}}}`;
// What json.dumps writes of it when the host application has converted the values.
const STORED = String.raw`{"9": {"class_type": "SaveImage", "inputs": {"images": ["3", 0], "filename_prefix": "\u00fc"}}, "3": {"class_type": "ImageScaleBy", "inputs": {"image": ["2", 0], "upscale_method": "area", "scale_by": 1.0}}, "2": {"class_type": "ImageAddNoise", "inputs": {"image": ["10", 0], "seed": 18446744073709551615, "strength": 0.5}}, "10": {"class_type": "EmptyImage", "inputs": {"width": 2, "height": 2, "batch_size": 1, "color": 0}}}`;

test('a saved picture holds the graph that made it as the host application writes it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-metadata-'));
  try {
    const packs = { modules: [import.meta.resolve('../../index.ts')] };
    const { status } = await runWorkflow(SUBMITTED, { packs, folder });
    assert.equal(status, 'success');
    const parts = pngParts(readFileSync(join(folder, 'output', 'ü_00001_.png')));
    const texts = parts
      .filter(({ type }) => type === 'tEXt')
      .map(({ whole }) => whole.subarray(8, -4).toString('latin1'));
    assert.deepEqual(texts, [`prompt\0${STORED}`]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
