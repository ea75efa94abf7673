/**
 * Pillow's median cut: boxes of colors are cut at their median until there are enough, and each box becomes the mean of its
 * pixels. The order of the palette matters, because the mapping takes the first of equal colors.
 */

/** With more colors, Pillow drops low bits before it cuts. */
const MAX_COLORS = 65536;
const BYTES_PER_CHECKPOINT = 3 << 17;
/** The weights of red, green and blue distances when a box is cut. */
const AXIS_WEIGHTS = [77, 150, 29] as const;

interface Box {
  readonly members: Int32Array;
  readonly pixels: number;
  cut: readonly [Box, Box] | undefined;
}

/** Distinct colors without their `shift` low bits, and their numbers of pixels. */
interface ColorTable {
  readonly channels: readonly [Uint8Array, Uint8Array, Uint8Array];
  readonly counts: Float64Array;
  /** Sums of the pixels' full values, by channel. */
  readonly sums: readonly [Float64Array, Float64Array, Float64Array];
}

/** The palette as red, green, blue, red… of at most `colors` colors. */
export function medianCut(pixels: Uint8Array, colors: number, checkpoint: () => void): Uint8Array {
  const table = countColors(pixels, checkpoint);
  const root: Box = {
    members: Int32Array.from(table.counts, (_, index) => index),
    pixels: pixels.length / 3,
    cut: undefined,
  };
  const heap = createHeap();
  heap.add(root);
  for (let count = 1; count < colors; ) {
    const box = heap.removeLargest();
    if (!box) break;
    const halves = cutBox(box, table);
    if (!halves) continue;
    box.cut = halves;
    heap.add(halves[0]);
    heap.add(halves[1]);
    count++;
    checkpoint();
  }
  return Uint8Array.from(leaves(root).flatMap((box) => meanColor(box, table)));
}

function countColors(pixels: Uint8Array, checkpoint: () => void): ColorTable {
  for (let shift = 0; ; shift++) {
    const table = tryCount(pixels, shift, checkpoint);
    if (table) return table;
  }
}

/** `undefined` if there are too many colors. */
function tryCount(pixels: Uint8Array, shift: number, checkpoint: () => void): ColorTable | undefined {
  const size = Math.min(MAX_COLORS, pixels.length / 3);
  const places = new Map<number, number>();
  const channels = [new Uint8Array(size), new Uint8Array(size), new Uint8Array(size)] as const;
  const sums = [new Float64Array(size), new Float64Array(size), new Float64Array(size)] as const;
  const counts = new Float64Array(size);
  for (let index = 0; index < pixels.length; index += 3) {
    const red = pixels[index] as number;
    const green = pixels[index + 1] as number;
    const blue = pixels[index + 2] as number;
    const key = ((red >> shift) << 16) | ((green >> shift) << 8) | (blue >> shift);
    let place = places.get(key);
    if (place === undefined) {
      if (places.size === MAX_COLORS) return undefined;
      place = places.size;
      places.set(key, place);
      channels[0][place] = red >> shift;
      channels[1][place] = green >> shift;
      channels[2][place] = blue >> shift;
    }
    counts[place] = (counts[place] as number) + 1;
    sums[0][place] = (sums[0][place] as number) + red;
    sums[1][place] = (sums[1][place] as number) + green;
    sums[2][place] = (sums[2][place] as number) + blue;
    if (index % BYTES_PER_CHECKPOINT === 0) checkpoint();
  }
  return { channels, counts: counts.subarray(0, places.size), sums };
}

/** Cuts along the widest axis, brighter colors first. A box of a single color is not cut. */
function cutBox(box: Box, { channels, counts }: ColorTable): readonly [Box, Box] | undefined {
  let axis = 0;
  let widest = 0;
  for (const [index, weight] of AXIS_WEIGHTS.entries()) {
    const [low, high] = range(box.members, channels[index] as Uint8Array);
    if ((high - low) * weight > widest) [axis, widest] = [index, (high - low) * weight];
  }
  if (widest === 0) return undefined;
  const values = channels[axis] as Uint8Array;
  const histogram = new Float64Array(256);
  for (const member of box.members) {
    const value = values[member] as number;
    histogram[value] = (histogram[value] as number) + (counts[member] as number);
  }
  const [low, high] = range(box.members, values);
  let last = high;
  let pixels = histogram[high] as number;
  while (pixels * 2 <= box.pixels) pixels += histogram[--last] as number;
  if (last === low) {
    pixels -= histogram[low] as number;
    last = low + 1;
  }
  return [
    { members: box.members.filter((member) => (values[member] as number) >= last), pixels, cut: undefined },
    {
      members: box.members.filter((member) => (values[member] as number) < last),
      pixels: box.pixels - pixels,
      cut: undefined,
    },
  ];
}

function range(members: Int32Array, values: Uint8Array): readonly [low: number, high: number] {
  let low = 255;
  let high = 0;
  for (const member of members) {
    const value = values[member] as number;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

function leaves(box: Box): readonly Box[] {
  return box.cut ? box.cut.flatMap(leaves) : [box];
}

function meanColor({ members, pixels }: Box, { sums }: ColorTable): readonly number[] {
  return sums.map((sum) => {
    const total = members.reduce((part, member) => part + (sum[member] as number), 0);
    return Math.floor(0.5 + total / pixels);
  });
}

/** A binary heap that orders equal counts as Pillow's does, because that decides which box is cut. */
function createHeap(): { add(box: Box): void; removeLargest(): Box | undefined } {
  const boxes: Box[] = [];
  const at = (index: number): Box => boxes[index - 1] as Box;
  return {
    add(box) {
      boxes.push(box);
      let place = boxes.length;
      for (; place !== 1 && box.pixels > at(place >> 1).pixels; place >>= 1)
        boxes[place - 1] = at(place >> 1);
      boxes[place - 1] = box;
    },
    removeLargest() {
      const largest = boxes[0];
      const moved = boxes.pop();
      const count = boxes.length;
      if (!moved || count === 0) return largest;
      let place = 1;
      while (place * 2 <= count) {
        let child = place * 2;
        if (child < count && at(child).pixels < at(child + 1).pixels) child++;
        if (moved.pixels > at(child).pixels) break;
        boxes[place - 1] = at(child);
        place = child;
      }
      boxes[place - 1] = moved;
      return largest;
    },
  };
}
