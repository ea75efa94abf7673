import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RunningServer, startServer } from '@atelier/testing';

import { newSubmitter } from '../support/cloud.ts';
import { newArtist } from '../support/generation.ts';
import type { Client } from '../support/http-client.ts';
import { faceText } from '../support/test-pictures.ts';

interface Problem {
  readonly type: string;
  readonly message: string;
  readonly details: string;
  readonly extra_info: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly prompt_id?: string;
  readonly error: Problem;
  readonly node_errors: Readonly<Record<string, { readonly errors: readonly Problem[] }>>;
  readonly warnings?: readonly Problem[];
}

const picture = (inputs: object = {}) => ({
  class_type: 'EmptyImage',
  inputs: { width: 8, height: 8, batch_size: 1, color: 0, ...inputs },
});
const preview = (from: unknown) => ({ class_type: 'PreviewImage', inputs: { images: from } });

describe('advice', () => {
  let server: RunningServer;
  let api: Client;
  before(async () => {
    // Requests and answers only: tasks stay as they were created.
    server = await startServer({ environment: { ATELIER_RENDERERS: '0' } });
    ({ api } = await newSubmitter(server));
  });
  after(async () => await server[Symbol.asyncDispose]());

  const submit = async (body: unknown) => await api.post<Answer>('/api/prompt', body);

  for (const [what, body, type, advice] of [
    [
      'a workflow without its wrapper',
      { '1': picture(), '2': preview(['1', 0]) },
      'no_prompt',
      /is a workflow itself: wrap it as \{"prompt"/,
    ],
    ['a misspelled prompt', { promt: {} }, 'no_prompt', /has promt and no prompt/],
    ['no output node', { prompt: { '1': picture() } }, 'prompt_no_outputs', /such as SaveImage/],
    [
      'a node type that is nearly one',
      { prompt: { '1': picture(), '2': { ...preview(['1', 0]), class_type: 'SaveImages' } } },
      'missing_node_type',
      /Did you mean SaveImage\?$/,
    ],
    [
      'a webhook on this machine',
      { prompt: { '1': picture(), '2': preview(['1', 0]) }, webhook_url: 'http://localhost:9/' },
      'request.invalid',
      /ATELIER_OUTBOUND_ALLOW/,
    ],
  ] as const) {
    test(`[JOB-17] a refusal of ${what} says what to do`, async () => {
      const { status, body: answer } = await submit(body);
      assert.equal(status, 400);
      assert.equal(answer.error.type, type);
      assert.match(`${answer.error.message} ${answer.error.details}`, advice);
    });
  }

  for (const [what, node, type, advice] of [
    [
      'a link to a node that is not there',
      { class_type: 'ImageInvert', inputs: { image: ['9', 0] } },
      'exception_during_inner_validation',
      'image links to node 9, which is not in the workflow.',
    ],
    [
      'a misspelled input',
      { class_type: 'EmptyImage', inputs: { widht: 8, height: 8, batch_size: 1, color: 0 } },
      'required_input_missing',
      'width. The node has no input widht. Did you mean width?',
    ],
    [
      'a picture that was not uploaded',
      { class_type: 'LoadImage', inputs: { image: 'cat.png' } },
      'custom_validation_failed',
      'image - Invalid image file: cat.png. Upload it first, and use the name that the upload answers with.',
    ],
  ] as const) {
    test(`[JOB-17] a refusal of ${what} says what to do, with the type that ComfyUI gives it`, async () => {
      const { status, body } = await submit({ prompt: { '1': node, '2': preview(['1', 0]) } });
      assert.equal(status, 400);
      const [error] = body.node_errors['1']?.errors ?? [];
      assert.deepEqual([error?.type, error?.details], [type, advice]);
    });
  }

  test('[JOB-18] what is ignored is named in warnings, and node_errors stay empty', async () => {
    const prompt = { '1': picture({ colour: 3 }), '2': preview(['1', 0]) };
    const { status, body } = await submit({ prompt, webhok_url: 'https://example.org', number: 3 });
    assert.equal(status, 200);
    assert.deepEqual(body.node_errors, {});
    assert.deepEqual(
      body.warnings?.map(({ type, details }) => [type, details]),
      [
        ['unknown_field', 'There is no field webhok_url. Did you mean webhook_url?'],
        ['unknown_input', 'Node 1 (EmptyImage) has no input colour. Did you mean color?'],
      ],
    );
    const plain = await submit({ prompt: { '1': picture(), '2': preview(['1', 0]) }, client_id: 'x' });
    assert.equal('warnings' in plain.body, false);
  });

  test('[JOB-18] inputs of inputs are known', async () => {
    const skin = {
      class_type: 'SkinEnhancer',
      inputs: { image: ['1', 0], mode: 'faithful', 'mode.grain': 1 },
    };
    const { body } = await submit({ prompt: { '1': picture(), '2': skin, '3': preview(['2', 0]) } });
    assert.deepEqual(
      body.warnings?.map(({ extra_info }) => extra_info['input_name']),
      ['mode.grain'],
    );
  });

  test('[PRX-5] unknown fields of a task are named in warnings', async () => {
    const artist = await newArtist(server);
    const image = await faceText();
    for (const [path, body, warnings] of [
      [
        '/proxy/imagevendor/v1/ai/image-relight',
        { image, promt: 'sun', advanced_settings: { witheness: 1 } },
        [/^promt is not .* Did you mean prompt\?$/, /^advanced_settings\.witheness is not a field/],
      ],
      [
        '/proxy/imagevendor/v1/ai/skin-enhancer/creative',
        { image, skin_detail: 4 },
        [/^skin_detail is not a field of this request and is ignored\.$/],
      ],
      [
        '/proxy/videovendor/text2video',
        { model: 'clipq2-turbo', images: [image], duration: 1, durration: 2, off_peak: true },
        [/^durration .* Did you mean duration\?$/],
      ],
      ['/proxy/imagevendor/v1/ai/image-relight', { image, prompt: 'sun' }, undefined],
    ] as const) {
      const answer = await artist.api.post<{ warnings?: string[] }>(path, body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.equal(answer.body.warnings?.length, warnings?.length);
      for (const [index, warning] of (warnings ?? []).entries()) {
        assert.match(answer.body.warnings?.[index] ?? '', warning);
      }
    }
  });

  test('[JOB-19] partner nodes take the defaults of inputs that are left out', async () => {
    const nodes = {
      '1': picture(),
      relight: { class_type: 'ImageRelight', inputs: { image: ['1', 0] } },
      skin: { class_type: 'SkinEnhancer', inputs: { image: ['1', 0] } },
      words: { class_type: 'TextToVideo', inputs: { prompt: 'a lake' } },
      moving: { class_type: 'ImageToVideo', inputs: { image: ['1', 0] } },
    };
    for (const name of ['relight', 'skin', 'words', 'moving'] as const) {
      const end = /Video/.test(nodes[name].class_type)
        ? {
            class_type: 'SaveVideo',
            inputs: { video: [name, 0], filename_prefix: 'x', format: 'auto', codec: 'auto' },
          }
        : preview([name, 0]);
      const { status, body } = await submit({ prompt: { '1': nodes['1'], [name]: nodes[name], end } });
      assert.equal(status, 200, JSON.stringify(body));
      await api.post('/api/interrupt');
      await api.post('/api/queue', { clear: true });
    }
  });
});
