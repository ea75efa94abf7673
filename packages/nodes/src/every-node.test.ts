import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Input, type Inputs, NodeError, type NodeType } from '@atelier/engine';
import sharp from 'sharp';
import { pack } from './index.ts';
import { nodeContext, noiseImage, noiseMask, type TestContext } from './test/run-node.ts';
import type { Image } from './values/image.ts';

const PICTURES: Readonly<Record<string, Image>> = {
  'one pixel': noiseImage({ height: 1, width: 1 }),
  'one pixel with alpha': noiseImage({ height: 1, width: 1, channels: 4 }),
  'three pictures of an odd size': noiseImage({ batch: 3, height: 7, width: 13 }),
  'three pictures with alpha': noiseImage({ batch: 3, height: 9, width: 5, channels: 4 }),
  'values beyond 0 and 1': noiseImage({ height: 8, width: 6 }, { beyond: 2 }),
  'no numbers': { batch: 1, height: 3, width: 2, channels: 3, data: new Float32Array(18).fill(Number.NaN) },
};

const SAMPLE = await sharp({ create: { width: 3, height: 2, channels: 3, background: '#336699' } })
  .png()
  .toBuffer();

const MAX_SIZE = 96;

const SOUND = {
  waveform: { batch: 1, channels: 2, samples: 4410, data: new Float32Array(8820) },
  sampleRate: 44_100,
};

/** What each may refuse: what is not available or needs a key, samples that are none of its kind, and pictures too small for its window. */
const MAY_REFUSE: Readonly<Record<string, 'all' | 'small or odd'>> = {
  AddLayer: 'all',
  ComfyAndNode: 'all',
  ComfyNotNode: 'all',
  ComfyOrNode: 'all',
  CreateBoundingBoxes: 'all',
  CurveEditor: 'all',
  GLSLShader: 'all',
  ImageCompositor: 'all',
  ImageRelight: 'all',
  ImageToVideo: 'all',
  JoinAudioChannels: 'all',
  LayersFromBoundingBoxes: 'all',
  LoadAudio: 'all',
  SkinEnhancer: 'all',
  TextToVideo: 'all',
  WebcamCapture: 'all',
  Canny: 'small or odd',
  ImageBlur: 'small or odd',
  ImageSharpen: 'small or odd',
  SaveVideo: 'small or odd',
};

/** A value for an input that nobody set: its default, or a small one of its type. */
function valueFor(input: Input, picture: Image): unknown {
  switch (input.kind) {
    case 'int': {
      const { min = 0, default: usual = min || 1 } = input.options;
      // Sizes are kept small: what a node does with a picture does not depend on them.
      const value = usual > MAX_SIZE && min <= MAX_SIZE ? MAX_SIZE : usual;
      return 'big' in input && input.big ? BigInt(value) : Number(value);
    }
    case 'float':
      return Number(input.options.default ?? input.options.min ?? 1);
    case 'string':
      return input.options.default ?? 'text';
    case 'boolean':
      return input.options.default ?? false;
    case 'combo':
      return 'folder' in input.choices || input.options.image_upload
        ? 'sample.png'
        : (input.options.default ?? input.choices[0] ?? '');
    case 'dynamicCombo': {
      const [choice = '', inputs = {}] = Object.entries(input.choices)[0] ?? [];
      return { choice, ...valuesFor(inputs, picture) };
    }
    case 'autogrow': {
      const names = input.names.slice(0, Math.max(input.min, 2));
      return Object.fromEntries(names.map((name) => [name, valueFor(input.item, picture)]));
    }
    case 'link':
      return linked(input.socket, picture);
    case 'matchType':
      return picture;
  }
}

function linked(socket: string, picture: Image): unknown {
  const { batch, height, width } = picture;
  const [first] = socket.split(',');
  const values: Readonly<Record<string, unknown>> = {
    IMAGE: picture,
    MASK: noiseMask({ batch, height, width }),
    AUDIO: SOUND,
    VIDEO: { kind: 'frames', images: picture, fps: 10, audio: null, bitDepth: 8, window: null },
    BOUNDING_BOX: { x: 0, y: 0, width: 4, height: 4 },
    STRING: 'text',
    INT: 1,
    FLOAT: 1,
    BOOLEAN: true,
    COLOR: '#336699',
    CURVE: undefined,
    SVG: { data: [new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')] },
    DICT: { a: 1 },
    ARRAY: [1],
  };
  return first !== undefined && first in values ? values[first] : picture;
}

function valuesFor(inputs: Inputs, picture: Image): Record<string, unknown> {
  const required = Object.entries(inputs).filter(([, input]) => !input.optional);
  return Object.fromEntries(required.map(([name, input]) => [name, valueFor(input, picture)]));
}

async function run(type: NodeType, picture: Image, context: TestContext): Promise<unknown> {
  const values = valuesFor(type.inputs, picture);
  // A node that takes lists gets each value as a list of one.
  const given = type.inputIsList
    ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]))
    : values;
  return await type.run(given, context);
}

describe('every node type', () => {
  for (const type of pack.nodes) {
    it(`${type.type} gives its outputs or says why not, whatever the picture`, async () => {
      using context = nodeContext();
      mkdirSync(join(context.folder, 'input'));
      writeFileSync(join(context.folder, 'input', 'sample.png'), SAMPLE);
      let refused = 0;
      for (const [what, picture] of Object.entries(PICTURES)) {
        const before = picture.data.slice();
        try {
          const result = await run(type, picture, context);
          const outputs = Array.isArray(result) ? result : (result as { outputs?: unknown[] }).outputs;
          assert.equal((outputs ?? []).length, type.outputs.length, what);
        } catch (error) {
          // A sentence for the submitter, never a fault of the code.
          assert.ok(
            error instanceof NodeError,
            `${what}: ${error instanceof Error ? error.stack : String(error)}`,
          );
          assert.match(error.message, /\S{3}/);
          assert.ok(type.type in MAY_REFUSE, `${what}: ${error.message}`);
          refused += 1;
        }
        assert.deepEqual(picture.data, before, `${what}: the input is as it was`);
      }
      const isAlways = refused === Object.keys(PICTURES).length;
      assert.equal(isAlways, MAY_REFUSE[type.type] === 'all', `${refused} refused`);
    });
  }
});
