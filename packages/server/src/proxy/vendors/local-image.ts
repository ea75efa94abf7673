import { extname, join } from 'node:path';
import type {
  RelightRequest,
  RelightSettings,
  Renderers,
  RenderRequest,
  SkinMode,
  SkinRequest,
  SkinSettings,
} from '@atelier/renderers';

import { renderLocally } from './render-locally.ts';
import type { VendorAdapter, VendorTask } from './vendor.ts';

interface Parts {
  readonly renderers: Renderers;
  readonly places: number;
}

const ABOUT =
  'Works on the pixels of your picture on this server, in seconds and without a model: skin by frequency separation within a mask of skin tones, light by estimating and transferring illumination. It invents no new content, keeps faces as they are, and sends nothing anywhere. An outside vendor is used instead once its key is set.';

/** Skin enhancer and relight on this machine. */
export function createLocalImageVendor({ renderers, places }: Parts): VendorAdapter {
  return {
    name: 'image-local',
    vendor: 'imagevendor',
    repeats: 'freely',
    places,
    description: { title: 'Local image renderer', isLocal: true, about: ABOUT },
    async begin(task, context) {
      const output = join(task.folder, `result${extname(inputOf(task, 'image'))}`);
      const request = toRequest(task, output);
      return await renderLocally(renderers, request, context, [{ from: { path: output }, role: 'picture' }]);
    },
    async check() {
      throw new Error('A local task is never left with its vendor.');
    },
    close: renderers.close,
  };
}

function toRequest(task: VendorTask, output: string): RenderRequest {
  if (task.kind === 'relight') return toRelight(task, output);
  return toSkin(task, output);
}

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
      prompt: wire.prompt ?? '',
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

interface SkinWire {
  readonly sharpen: number;
  readonly smart_grain: number;
  readonly skin_detail?: number;
  readonly optimized_for?: SkinSettings['optimizedFor'];
}

interface RelightWire {
  readonly prompt?: string;
  readonly light_transfer_strength: number;
  readonly style: RelightSettings['style'];
  readonly change_background: boolean;
  readonly interpolate_from_original: boolean;
  readonly preserve_details: boolean;
  readonly advanced_settings: {
    readonly whites: number;
    readonly blacks: number;
    readonly brightness: number;
    readonly contrast: number;
    readonly saturation: number;
    readonly engine: RelightSettings['engine'];
    readonly transfer_light_a: RelightSettings['transferLightA'];
    readonly transfer_light_b: RelightSettings['transferLightB'];
    readonly fixed_generation: boolean;
  };
}
