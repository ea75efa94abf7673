export interface Layer {
  readonly source: Float32Array;
  readonly width: number;
  readonly height: number;
  /** 1 shows the source. Without a mask, all of it is shown. */
  readonly mask: Float32Array | undefined;
  readonly x: number;
  readonly y: number;
}

/** Lays a picture over another in place, as far as it fits. */
export function layOver(
  target: Float32Array,
  { width, height, channels }: { readonly width: number; readonly height: number; readonly channels: number },
  { source, width: sourceWidth, height: sourceHeight, mask, x, y }: Layer,
): void {
  const columns = Math.min(sourceWidth, width - x);
  const rows = Math.min(sourceHeight, height - y);
  for (let row = 0; row < rows; row++) {
    const from = row * sourceWidth;
    const to = (y + row) * width + x;
    if (!mask) {
      target.set(source.subarray(from * channels, (from + columns) * channels), to * channels);
      continue;
    }
    for (let column = 0; column < columns; column++) {
      const cover = mask[from + column] ?? 0;
      // Rounded at each step, as in single precision.
      const rest = Math.fround(1 - cover);
      for (let channel = 0; channel < channels; channel++) {
        const at = (to + column) * channels + channel;
        const over = Math.fround(cover * (source[(from + column) * channels + channel] ?? 0));
        target[at] = over + Math.fround(rest * (target[at] ?? 0));
      }
    }
  }
}
