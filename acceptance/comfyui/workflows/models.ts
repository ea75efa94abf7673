import type { Workflow } from '../../support/workflows.ts';
import { type Case, node, save } from '../case.ts';
import { TINY_CHECKPOINTS } from '../make-checkpoints.ts';

interface Sampling {
  readonly checkpoint?: string;
  readonly text?: string;
  readonly size?: number;
  readonly batch?: number;
  readonly steps?: number;
  readonly seed?: number;
  readonly sampler?: string;
}

/** The workflow that everybody starts with, up to the decoded picture (node 6). */
export function textToImage({
  checkpoint = TINY_CHECKPOINTS[1],
  text = 'a cat on a red sofa',
  size = 64,
  batch = 1,
  steps = 4,
  seed = 7,
  sampler = 'euler',
}: Sampling = {}): Workflow {
  return {
    '1': node('CheckpointLoaderSimple', { ckpt_name: checkpoint }),
    '2': node('CLIPTextEncode', { clip: ['1', 1], text }),
    '3': node('CLIPTextEncode', { clip: ['1', 1], text: 'blurry' }),
    '4': node('EmptyLatentImage', { width: size, height: size, batch_size: batch }),
    '5': node('KSampler', {
      model: ['1', 0],
      positive: ['2', 0],
      negative: ['3', 0],
      latent_image: ['4', 0],
      seed,
      steps,
      cfg: 5,
      sampler_name: sampler,
      scheduler: 'normal',
      denoise: 1,
    }),
    '6': node('VAEDecode', { samples: ['5', 0], vae: ['1', 2] }),
  };
}

const saved = (title: string, sampling: Sampling, others: Partial<Case> = {}): Case => ({
  title,
  needsModels: true,
  workflow: (prefix) => ({ ...textToImage(sampling), '7': save(['6', 0], `${prefix}/sampled`) }),
  ...others,
});

export const MODEL_CASES: readonly Case[] = [
  saved(
    'a model paints a picture, with previews',
    { steps: 6 },
    { submission: { extra_data: { preview_method: 'latent2rgb' } } },
  ),
  saved('the same model twice', { seed: 8 }, { runs: 2 }),
  saved('another model', { checkpoint: TINY_CHECKPOINTS[2] }),
  saved('a batch of two by an ancestral sampler', { batch: 2, sampler: 'euler_ancestral' }),
  saved('a prompt in other scripts, with weights', {
    text: 'eine (Katze:1.3) auf dem Sofa, 猫, кошка 🐈 [x] \\(y\\)',
  }),
  saved(
    'a job is cancelled in the middle of sampling',
    { steps: 2000, size: 128 },
    { cancelsAt: '5', ends: 'interrupted' },
  ),
  saved('the job after a cancelled one', { seed: 9 }),
  {
    title: 'a picture becomes a latent again',
    needsModels: true,
    workflow: (prefix) => ({
      ...textToImage(),
      '8': node('VAEEncode', { pixels: ['6', 0], vae: ['1', 2] }),
      '9': node('LatentUpscaleBy', { samples: ['8', 0], upscale_method: 'bilinear', scale_by: 1.5 }),
      '10': node('SaveLatent', { samples: ['9', 0], filename_prefix: `${prefix}/latent` }),
      '11': node('VAEDecodeTiled', {
        samples: ['9', 0],
        vae: ['1', 2],
        tile_size: 64,
        overlap: 0,
        temporal_size: 64,
        temporal_overlap: 8,
      }),
      '12': node('PreviewImage', { images: ['11', 0] }),
    }),
  },
  {
    title: 'a sampler put together from parts',
    needsModels: true,
    workflow: (prefix) => ({
      '1': node('CheckpointLoaderSimple', { ckpt_name: TINY_CHECKPOINTS[1] }),
      '2': node('CLIPTextEncode', { clip: ['1', 1], text: 'a boat' }),
      '3': node('BasicGuider', { model: ['1', 0], conditioning: ['2', 0] }),
      '4': node('RandomNoise', { noise_seed: 3 }),
      '5': node('KSamplerSelect', { sampler_name: 'dpmpp_2m' }),
      '6': node('BasicScheduler', { model: ['1', 0], scheduler: 'karras', steps: 3, denoise: 1 }),
      '7': node('EmptyLatentImage', { width: 64, height: 64, batch_size: 1 }),
      '8': node('SamplerCustomAdvanced', {
        noise: ['4', 0],
        guider: ['3', 0],
        sampler: ['5', 0],
        sigmas: ['6', 0],
        latent_image: ['7', 0],
      }),
      '9': node('VAEDecode', { samples: ['8', 1], vae: ['1', 2] }),
      '10': save(['9', 0], `${prefix}/parts`),
    }),
  },
  {
    title: 'a model fails on a latent of another kind',
    needsModels: true,
    ends: 'error',
    workflow: (prefix) => ({
      ...textToImage(),
      '8': node('EmptyFlux2LatentImage', { width: 64, height: 64, batch_size: 1 }),
      '9': node('VAEDecode', { samples: ['8', 0], vae: ['1', 2] }),
      '10': save(['9', 0], `${prefix}/failed`),
    }),
  },
];
