import { startScriptedComfyUi } from '@atelier/testing';

import { plain } from './test-pictures.ts';

const choice = (...names: string[]) => [names, {}];
const type = (required: object, output: readonly string[], output_node = false) => ({
  input: { required },
  output,
  output_node,
});
const CONDITIONING = ['CONDITIONING', {}];

/** What a ComfyUI says of the types that make a picture with a model. */
const objectInfo = (checkpoints: readonly string[]) => ({
  CheckpointLoaderSimple: type({ ckpt_name: choice(...checkpoints) }, ['MODEL', 'CLIP', 'VAE']),
  CLIPTextEncode: type({ text: ['STRING', {}], clip: ['CLIP', {}] }, ['CONDITIONING']),
  EmptyLatentImage: type({ width: ['INT', {}], height: ['INT', {}], batch_size: ['INT', {}] }, ['LATENT']),
  KSampler: type(
    {
      model: ['MODEL', {}],
      seed: ['INT', {}],
      steps: ['INT', {}],
      cfg: ['FLOAT', {}],
      sampler_name: choice('euler'),
      scheduler: choice('normal'),
      positive: CONDITIONING,
      negative: CONDITIONING,
      latent_image: ['LATENT', {}],
      denoise: ['FLOAT', {}],
    },
    ['LATENT'],
  ),
  VAEDecode: type({ samples: ['LATENT', {}], vae: ['VAE', {}] }, ['IMAGE']),
  SaveImage: type({ images: ['IMAGE', {}], filename_prefix: ['STRING', { default: 'ComfyUI' }] }, [], true),
});

/** Plays a ComfyUI that has these checkpoints, and saves one small picture for every prompt. */
export async function startModelComfyUi(checkpoints: readonly string[], port = 0) {
  const picture = await plain(8, 8);
  const comfy = await startScriptedComfyUi(
    (prompt) => {
      prompt.say('execution_start', { timestamp: 1 });
      const outputs = Object.entries(prompt.graph).flatMap(([id, { class_type, inputs }]) => {
        if (class_type !== 'SaveImage') return [];
        const path = String(inputs['filename_prefix']).split('/');
        const filename = `${path.pop()}_00001_.png`;
        const subfolder = path.join('/');
        comfy.files.set(`output/${subfolder}/${filename}`, picture);
        return [[id, { images: [{ filename, subfolder, type: 'output' }] }]];
      });
      prompt.end('success', {}, Object.fromEntries(outputs) as object);
    },
    { port, models: { checkpoints: [...checkpoints] }, objectInfo: objectInfo(checkpoints) },
  );
  return comfy;
}
