import {
  combo,
  defineNode,
  dynamicCombo,
  float,
  int,
  link,
  type NodeContext,
  output,
  valueError,
} from '@atelier/engine';
import { type Image, newImage, picture } from '../../values/image.ts';
import { inRuns } from './in-runs.ts';
import {
  applyColorMap,
  type ColorMap,
  type ColorStatistics,
  mongeKantorovich,
  pooled,
  reinhard,
  statisticsOf,
} from './kernels/color-statistics.ts';
import { applyLevels, countBins, matchLevels, newBins } from './kernels/histogram-match.ts';
import { fromLab, toLab } from './kernels/lab.ts';

export const colorTransfer = defineNode({
  type: 'ColorTransfer',
  title: 'Transfer Color',
  category: 'image/filters',
  description: 'Gives images the colors of a reference, by one of several methods.',
  searchAliases: [
    'color match',
    'color grading',
    'color correction',
    'match colors',
    'color transform',
    'mkl',
    'reinhard',
    'histogram',
  ],
  inputs: {
    image_target: link('IMAGE', { tooltip: 'The images whose colors change.' }),
    image_ref: link('IMAGE', { tooltip: 'The images whose colors are taken.' }),
    method: combo(['reinhard_lab', 'mkl_lab', 'histogram']),
    source_stats: dynamicCombo(
      {
        per_frame: {},
        uniform: {},
        target_frame: {
          target_index: int({
            default: 0,
            min: 0,
            max: 10000,
            tooltip: 'The picture whose colors are compared with the reference.',
          }),
        },
      },
      {
        tooltip:
          'per_frame: each picture is matched by itself. uniform: all pictures together, in one way. target_frame: one picture decides, and all change in the same way.',
      },
    ),
    strength: float({ default: 1, min: 0, max: 10, step: 0.01 }),
  },
  outputs: [output('IMAGE', { name: 'image' })],
  run({ image_target: target, image_ref: reference, method, source_stats: stats, strength }, context) {
    if (strength === 0) return [target];
    for (const { channels } of [target, reference]) {
      if (channels < 3)
        throw valueError('Colors can only be transferred between images that have three channels.');
    }
    const result = newImage(context.memory, target);
    const transfer = { target, reference, result, strength, context };
    const choose = (items: number): readonly number[] =>
      stats.choice === 'target_frame' ? [Math.min(stats.target_index, items - 1)] : [...Array(items).keys()];
    const together = stats.choice === 'per_frame' ? undefined : choose(target.batch);
    if (method === 'histogram') transferHistogram(transfer, together);
    else transferLab(transfer, together, method === 'mkl_lab' ? mongeKantorovich : reinhard);
    return [result];
  },
});

interface Transfer {
  readonly target: Image;
  readonly reference: Image;
  readonly result: Image;
  readonly strength: number;
  readonly context: NodeContext;
}

/** `together` names the pictures that decide for all. Without it, each picture is matched to its own reference. */
function transferLab(
  { target, reference, result, strength, context }: Transfer,
  together: readonly number[] | undefined,
  mapBetween: (source: ColorStatistics, reference: ColorStatistics) => ColorMap,
): void {
  const { memory, checkpoint, progress } = context;
  const { width, height, channels, batch } = target;
  const lab = memory.dirtyFloats(width * height * 3);
  const other = memory.dirtyFloats(reference.width * reference.height * 3);
  const referenceOf = (index: number): ColorStatistics => {
    convert(picture(reference, index), reference.channels, other, checkpoint);
    return statisticsOf(other, checkpoint);
  };
  const targetOf = (index: number): ColorStatistics => {
    convert(picture(target, index), channels, lab, checkpoint);
    return statisticsOf(lab, checkpoint);
  };
  const all = [...Array(reference.batch).keys()];
  const shared = together || reference.batch === 1 ? pooled(all.map(referenceOf)) : undefined;
  const map = together && shared ? mapBetween(pooled(together.map(targetOf)), shared) : undefined;
  for (let index = 0; index < batch; index++) {
    const own = targetOf(index);
    const used = map ?? mapBetween(own, shared ?? referenceOf(Math.min(index, reference.batch - 1)));
    const to = picture(result, index);
    if (channels > 3) to.set(picture(target, index));
    inRuns(width * height, checkpoint, (start, end) => {
      const part = lab.subarray(start * 3, end * 3);
      applyColorMap(part, used, strength);
      fromLab(part, channels, to.subarray(start * channels, end * channels));
    });
    progress(index + 1, batch);
  }
  memory.free(lab);
  memory.free(other);
}

function convert(source: Float32Array, channels: number, lab: Float32Array, checkpoint: () => void): void {
  inRuns(lab.length / 3, checkpoint, (start, end) =>
    toLab(source.subarray(start * channels, end * channels), channels, lab.subarray(start * 3, end * 3)),
  );
}

function transferHistogram(
  { target, reference, result, strength, context }: Transfer,
  together: readonly number[] | undefined,
): void {
  const { channels, batch } = target;
  const matched = Math.min(channels, reference.channels);
  const bins = (image: Image, pictures: readonly number[], channel: number): Float64Array => {
    const counts = newBins();
    for (const index of pictures) {
      inRuns(image.width * image.height, context.checkpoint, (start, end) => {
        const part = picture(image, index).subarray(start * image.channels, end * image.channels);
        countBins(part, channel, image.channels, counts);
      });
    }
    return counts;
  };
  const levelsFor = (from: readonly number[], to: readonly number[]): readonly Float32Array[] =>
    Array.from({ length: matched }, (_, channel) =>
      matchLevels(bins(target, from, channel), bins(reference, to, channel)),
    );
  const shared = together && levelsFor(together, [...Array(reference.batch).keys()]);
  for (let index = 0; index < batch; index++) {
    const levels = shared ?? levelsFor([index], [Math.min(index, reference.batch - 1)]);
    const [from, to] = [picture(target, index), picture(result, index)];
    to.set(from);
    inRuns(target.width * target.height, context.checkpoint, (start, end) => {
      const part = to.subarray(start * channels, end * channels);
      for (const [channel, own] of levels.entries())
        applyLevels(part, { channel, channels, levels: own, strength });
    });
    context.progress(index + 1, batch);
  }
}
