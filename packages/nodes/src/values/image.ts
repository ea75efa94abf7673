import type { Memory } from '@atelier/engine';

export interface MaskShape {
  readonly batch: number;
  readonly height: number;
  readonly width: number;
}

export interface ImageShape extends MaskShape {
  readonly channels: number;
}

/**
 * IMAGE: a batch of pictures, float32 `[batch, height, width, channels]`, nominally 0 to 1, sRGB-encoded, not clamped
 * between nodes. Three channels, or four with straight alpha; some nodes make one.
 */
export interface Image extends ImageShape {
  readonly data: Float32Array<ArrayBuffer>;
}

/** MASK: float32 `[batch, height, width]`; 1 is masked, that is transparent. */
export interface Mask extends MaskShape {
  readonly data: Float32Array<ArrayBuffer>;
}

/** LATENT: float32 `[batch, channels, height, width]`. */
export interface Latent {
  readonly samples: ImageShape & Pick<Image, 'data'>;
}

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

declare module '@atelier/engine' {
  interface SocketTypes {
    IMAGE: Image;
    MASK: Mask;
    LATENT: Latent;
    BOUNDING_BOX: Area;
  }
}

/** A picture. The caller must write every element. */
export function newImage(memory: Memory, { batch, height, width, channels }: ImageShape): Image {
  const data = memory.dirtyFloats(batch * height * width * channels);
  return { batch, height, width, channels, data };
}

/** A mask. The caller must write every element. */
export function newMask(memory: Memory, { batch, height, width }: MaskShape): Mask {
  return { batch, height, width, data: memory.dirtyFloats(batch * height * width) };
}

/** The elements of one picture, without a copy. */
export function picture(image: Image | Mask, index: number): Float32Array<ArrayBuffer> {
  const size = image.data.length / image.batch;
  return image.data.subarray(index * size, (index + 1) * size);
}
