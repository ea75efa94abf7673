import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '@atelier/testing';

import { finish, newSubmitter } from '../support/cloud.ts';
import { startModelComfyUi } from '../support/model-comfyui.ts';
import { onAnyEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';

const SAMPLE = {
  load: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'tiny.safetensors' } },
  latent: { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 64, batch_size: 1 } },
  decode: { class_type: 'VAEDecode', inputs: { samples: ['latent', 0], vae: ['load', 2] } },
  save: { class_type: 'SaveImage', inputs: { images: ['decode', 0], filename_prefix: 'mine' } },
};

onAnyEngine(
  'a ComfyUI of ATELIER_COMFYUI_URLS',
  (server) => {
    test('[WRK-24] that does not answer yet is waited for, and runs jobs when it does', async () => {
      const port = await freePort();
      await server.restart({ ATELIER_COMFYUI_URLS: `http://127.0.0.1:${port}` });
      await until('the sentence', () =>
        server.current.output().includes('yet. The worker keeps trying.') ? true : undefined,
      );
      await using _comfy = await startModelComfyUi(['tiny.safetensors'], port);
      const { api } = await newSubmitter(server.current);
      await until('the node types', async () => {
        const { body } = await api.get('/api/object_info/VAEDecode');
        return 'VAEDecode' in body;
      });
      const { status, outputs } = await finish(api, SAMPLE);
      assert.equal(status, 'completed');
      assert.equal(outputs['save']?.['images']?.[0]?.filename, 'mine_00001_.png');
    });
  },
  { environment: {} },
);
