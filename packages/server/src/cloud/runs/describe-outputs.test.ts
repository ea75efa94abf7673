import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { describeOutputs } from './describe-outputs.ts';

const file = (filename: string, type = 'output') => ({ filename, subfolder: '', type });
const previewOf = (outputs: Record<string, unknown>): unknown =>
  JSON.parse(describeOutputs(outputs).previewOutput ?? 'null');

describe('the description of outputs', () => {
  it('is empty without outputs', () => {
    const nothing = { outputsCount: 0, previewableOutputsCount: 0, previewOutput: null, outputTypes: '' };
    assert.deepEqual(describeOutputs({}), nothing);
    assert.deepEqual(
      describeOutputs({ 1: null, 2: [], 3: { animated: [true], images: 'no list' } }),
      nothing,
    );
  });

  it('counts files, and separately those that can be previewed', () => {
    const { outputsCount, previewableOutputsCount } = describeOutputs({
      1: { images: [file('a.png'), file('b.png', 'temp')], animated: [false] },
      2: { latents: [file('a.latent')], files: [file('notes.md'), file('a.bin')] },
      3: { gifs: [{ ...file('a.bin'), format: 'video/h264-mp4' }], dims: [512, null, ['x']] },
    });
    assert.deepEqual(
      { outputsCount, previewableOutputsCount },
      { outputsCount: 6, previewableOutputsCount: 4 },
    );
  });

  it('does not count lines of text', () => {
    const { outputsCount, previewableOutputsCount } = describeOutputs({ 1: { text: ['one', 'two'] } });
    assert.deepEqual([outputsCount, previewableOutputsCount], [0, 0]);
  });

  it('counts a 3D file that is only a path', () => {
    const outputs = { 7: { result: ['meshes/cat.GLB', 'no file'] } };
    assert.equal(describeOutputs(outputs).outputsCount, 1);
    assert.deepEqual(previewOf(outputs), {
      filename: 'meshes/cat.GLB',
      type: 'output',
      subfolder: '',
      mediaType: '3d',
      nodeId: '7',
    });
  });

  it('prefers what was saved, then what was only shown, then a text file, then text', () => {
    const saved = { 9: { images: [file('saved.png')] } };
    const shown = { 3: { images: [file('shown.png', 'temp')] } };
    const textFile = { 2: { files: [file('notes.txt')] } };
    const text = { 1: { text: ['hello'] } };
    assert.deepEqual(previewOf({ ...text, ...textFile, ...shown, ...saved }), {
      ...file('saved.png'),
      nodeId: '9',
      mediaType: 'images',
    });
    assert.partialDeepStrictEqual(previewOf({ ...text, ...textFile, ...shown }), { filename: 'shown.png' });
    assert.partialDeepStrictEqual(previewOf({ ...text, ...textFile }), { filename: 'notes.txt' });
    assert.deepEqual(previewOf(text), { content: 'hello', nodeId: '1', mediaType: 'text' });
  });

  it('takes the first of equals', () => {
    const outputs = { 1: { images: [file('a.png'), file('b.png')] }, 2: { images: [file('c.png')] } };
    assert.partialDeepStrictEqual(previewOf(outputs), { filename: 'a.png' });
  });

  it('keeps a media type that the output itself names', () => {
    const outputs = { 1: { '3d': [{ ...file('a.glb'), mediaType: 'mesh' }] } };
    assert.partialDeepStrictEqual(previewOf(outputs), { mediaType: 'mesh' });
  });

  it('cuts text after 1024 whole characters', () => {
    assert.deepEqual(previewOf({ 1: { text: ['🎈'.repeat(1024)] } }), {
      content: '🎈'.repeat(1024),
      nodeId: '1',
      mediaType: 'text',
    });
    assert.deepEqual(previewOf({ 1: { text: ['🎈'.repeat(1025)] } }), {
      content: '🎈'.repeat(1024),
      truncated: true,
      nodeId: '1',
      mediaType: 'text',
    });
  });

  it('keeps integers beyond 2^53', () => {
    const { previewOutput } = describeOutputs({
      1: { images: [{ ...file('a.png'), seed: 18446744073709551615n }] },
    });
    assert.match(previewOutput ?? '', /"seed":18446744073709551615\b/);
  });

  it('lists each media kind once, by the file if the key says something else', () => {
    const outputs = {
      1: { images: [file('a.mp4'), file('b.webp')], animated: [true] },
      2: { audio: [file('a.flac'), file('without extension')] },
      3: { '3d': [file('a.glb')], files: [file('a.bin'), { ...file('x'), format: 'video/webm' }] },
    };
    assert.equal(describeOutputs(outputs).outputTypes, ' 3d audio image video ');
  });
});
