import { extname, join } from 'node:path';
import type {
  RelightAdvancedSettings,
  RelightRequest as RelightBody,
  SkinFaithfulRequest,
  SkinFlexibleRequest,
} from '@atelier/contracts';
import {
  type RelightRequest,
  type SkinMode,
  type SkinRequest,
  understandRelightPrompt,
} from '@atelier/renderers';

import type { LocalRenderer } from './local-adapter.ts';
import type { VendorTask } from './vendor.ts';

type SkinWire = Required<Pick<SkinFaithfulRequest, 'sharpen' | 'smart_grain'>> &
  Pick<SkinFaithfulRequest, 'skin_detail'> &
  Pick<SkinFlexibleRequest, 'optimized_for'>;
type RelightWire = Required<Omit<RelightBody, 'advanced_settings'>> & {
  readonly advanced_settings: Required<RelightAdvancedSettings>;
};

const ABOUT =
  'A stand-in without a model: works on the pixels of your picture on this server, in seconds: skin by frequency separation within a mask of skin tones, light by estimating and transferring illumination. It invents no new content, keeps faces as they are, and sends nothing anywhere. An outside vendor is used instead once its key is set.';

export const LOCAL_IMAGE_VENDOR: LocalRenderer = {
  adapter: 'image-local',
  title: 'Local stand-in for images',
  about: ABOUT,
  understand: ({ settings }) => ({
    ...understandRelightPrompt((settings as { prompt?: string }).prompt ?? ''),
    subjects: 'a direction, a color, a time of day, the weather or a place',
  }),
  toRender(task) {
    const output = join(task.folder, `result${extname(inputOf(task, 'image'))}`);
    const request = task.kind === 'relight' ? toRelight(task, output) : toSkin(task, output);
    return { request, files: [{ from: { path: output }, role: 'picture' }] };
  },
};

function toSkin(task: VendorTask, output: string): SkinRequest {
  const {
    sharpen,
    smart_grain: smartGrain,
    skin_detail: skinDetail,
    optimized_for: optimizedFor,
  } = task.settings as unknown as SkinWire;
  const mode = task.kind.slice('skin-'.length) as SkinMode;
  return {
    kind: 'skin',
    input: inputOf(task, 'image'),
    output,
    settings: { mode, sharpen, smartGrain, skinDetail, optimizedFor, seed: task.seed },
  };
}

function toRelight(task: VendorTask, output: string): RelightRequest {
  const wire = task.settings as unknown as RelightWire;
  const { advanced_settings: advanced } = wire;
  return {
    kind: 'relight',
    input: inputOf(task, 'image'),
    reference: task.inputs['transfer_light_from_reference_image']?.path,
    lightMap: task.inputs['transfer_light_from_lightmap']?.path,
    output,
    settings: {
      prompt: wire.prompt,
      strength: wire.light_transfer_strength,
      style: wire.style,
      changeBackground: wire.change_background,
      interpolateFromOriginal: wire.interpolate_from_original,
      preserveDetails: wire.preserve_details,
      whites: advanced.whites,
      blacks: advanced.blacks,
      brightness: advanced.brightness,
      contrast: advanced.contrast,
      saturation: advanced.saturation,
      engine: advanced.engine,
      transferLightA: advanced.transfer_light_a,
      transferLightB: advanced.transfer_light_b,
      fixedGeneration: advanced.fixed_generation,
      seed: task.seed,
    },
  };
}

function inputOf(task: VendorTask, field: string): string {
  const input = task.inputs[field];
  if (!input) throw new Error(`Task ${task.id} has no ${field}.`);
  return input.path;
}
