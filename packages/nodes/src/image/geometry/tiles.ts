import { defineNode, int, link, listOutput, NodeError, output, valueError } from '@atelier/engine';
import { MAX_EDGE, roundHalfEven } from '../../values/arithmetic.ts';
import { newImage } from '../../values/image.ts';
import { type Area, cropArea } from '../batch.ts';
import type { PixelSize } from '../resize/pillow-resize.ts';
import { addTile, divideByWeights, tileWeights } from './kernels/merge-tiles.ts';

/** Tiles from left to right and top to bottom. The last ones are moved back, so that they are whole. */
export function tileAreas({ width, height }: PixelSize, tile: PixelSize, overlap: number): readonly Area[] {
  const spans = (length: number, size: number): readonly (readonly [start: number, size: number])[] => {
    const stride = roundHalfEven(Math.max(size * 0.25, size - overlap));
    const found: (readonly [number, number])[] = [];
    for (let at = 0; at < length; at += stride) {
      const end = Math.min(at + size, length);
      const start = Math.max(0, end - size);
      found.push([start, end - start]);
      if (end >= length || stride < 1) break;
    }
    return found;
  };
  const columns = spans(width, tile.width);
  return spans(height, tile.height).flatMap(([y, rows]) =>
    columns.map(([x, across]) => ({ x, y, width: across, height: rows })),
  );
}

export const splitImageToTileList = defineNode({
  type: 'SplitImageToTileList',
  title: 'Split Image into List of Tiles',
  category: 'image/batch',
  description: 'Cuts an image into a list of tiles that overlap.',
  searchAliases: ['split image', 'tile image', 'slice image'],
  inputs: {
    image: link('IMAGE'),
    tile_width: int({ default: 1024, min: 64, max: MAX_EDGE }),
    tile_height: int({ default: 1024, min: 64, max: MAX_EDGE }),
    overlap: int({ default: 128, min: 0, max: 4096 }),
  },
  outputs: [listOutput('IMAGE')],
  run({ image, tile_width: width, tile_height: height, overlap }, context) {
    const areas = tileAreas(image, { width, height }, overlap);
    return [areas.map((area) => cropArea(image, area, context.memory, context.checkpoint))];
  },
});

export const imageMergeTileList = defineNode({
  type: 'ImageMergeTileList',
  title: 'Merge List of Tiles to Image',
  category: 'image/batch',
  searchAliases: ['split image', 'tile image', 'slice image'],
  inputIsList: true,
  inputs: {
    image_list: link('IMAGE'),
    final_width: int({ default: 1024, min: 64, max: 32768 }),
    final_height: int({ default: 1024, min: 64, max: 32768 }),
    overlap: int({ default: 128, min: 0, max: 4096 }),
  },
  outputs: [output('IMAGE')],
  run(
    { image_list: tiles, final_width: [width = 0], final_height: [height = 0], overlap: [overlap = 0] },
    context,
  ) {
    const [first] = tiles;
    if (first === undefined) throw valueError('There is no tile to merge.');
    const { batch, channels } = first;
    const areas = tileAreas({ width, height }, first, overlap).slice(0, tiles.length);
    const result = newImage(context.memory, { batch, height, width, channels });
    result.data.fill(0);
    const sums = context.memory.floats(width * height);
    const across = tileWeights(first.width, overlap > 0);
    const down = tileWeights(first.height, overlap > 0);
    for (const [index, area] of areas.entries()) {
      const tile = tiles[index] ?? first;
      if (tile.channels !== channels || (tile.batch !== batch && tile.batch !== 1)) {
        throw new NodeError(
          'RuntimeError',
          `Tile ${index} has another batch size or other channels than the first.`,
        );
      }
      addTile(tile, result, sums, { area, across, down });
      context.progress(index + 1, areas.length);
    }
    divideByWeights(result, sums, context.checkpoint);
    context.memory.free(sums);
    return [result];
  },
});
