import type {
  MOVEMENT_AMPLITUDES,
  RELIGHT_ENGINES,
  RELIGHT_STYLES,
  SKIN_PURPOSES,
  TRANSFER_LIGHT_A,
  TRANSFER_LIGHT_B,
  VIDEO_STYLES,
} from '@atelier/contracts/proxy-words';

/** Plain data, because it is sent to another process. Paths are of files on this machine. */
export type RenderRequest = SkinRequest | RelightRequest | VideoRequest | PosterRequest;

export interface SkinRequest {
  readonly kind: 'skin';
  readonly input: string;
  readonly output: string;
  readonly settings: SkinSettings;
}

export type SkinMode = 'creative' | 'faithful' | 'flexible';

/** Numbers are whole, from 0 to 100. */
export interface SkinSettings {
  readonly mode: SkinMode;
  readonly sharpen: number;
  readonly smartGrain: number;
  /** Only in the faithful mode. */
  readonly skinDetail?: number | undefined;
  /** Only in the flexible mode. */
  readonly optimizedFor?: (typeof SKIN_PURPOSES)[number] | undefined;
  readonly seed: number;
}

export interface RelightRequest {
  readonly kind: 'relight';
  readonly input: string;
  /** At most one of the two. */
  readonly reference?: string | undefined;
  readonly lightMap?: string | undefined;
  readonly output: string;
  readonly settings: RelightSettings;
}

export interface RelightSettings {
  /** May have weights, as in `(golden hour:1.3)`. */
  readonly prompt: string;
  /** 0 to 100. */
  readonly strength: number;
  readonly style: (typeof RELIGHT_STYLES)[number];
  readonly changeBackground: boolean;
  readonly interpolateFromOriginal: boolean;
  readonly preserveDetails: boolean;
  /** 0 to 100 each; 50 changes nothing. */
  readonly whites: number;
  readonly blacks: number;
  readonly brightness: number;
  readonly contrast: number;
  readonly saturation: number;
  readonly engine: (typeof RELIGHT_ENGINES)[number];
  readonly transferLightA: (typeof TRANSFER_LIGHT_A)[number];
  readonly transferLightB: (typeof TRANSFER_LIGHT_B)[number];
  /** The same request gives the same picture; otherwise `seed` varies it. */
  readonly fixedGeneration: boolean;
  readonly seed: number;
}

/** The defaults of the wire, without a prompt. */
export const PLAIN_RELIGHT: RelightSettings = {
  prompt: '',
  strength: 100,
  style: 'standard',
  changeBackground: true,
  interpolateFromOriginal: false,
  preserveDetails: true,
  whites: 50,
  blacks: 50,
  brightness: 50,
  contrast: 50,
  saturation: 50,
  engine: 'automatic',
  transferLightA: 'automatic',
  transferLightB: 'automatic',
  fixedGeneration: true,
  seed: 7,
};

export interface VideoRequest {
  readonly kind: 'video';
  /** The start frame. */
  readonly image?: string | undefined;
  /** An MP4. */
  readonly output: string;
  /** A JPEG of the first frame. */
  readonly cover: string;
  /** The same video with the watermark burnt in, an MP4. */
  readonly watermark?: WatermarkRequest | undefined;
  readonly settings: VideoSettings;
}

export interface WatermarkRequest {
  readonly output: string;
  /** Absent: the renderer's own mark. */
  readonly image?: string | undefined;
  readonly corner: 'top-left' | 'top-right' | 'bottom-right' | 'bottom-left';
}

export interface VideoSettings {
  /** Empty only with an image. */
  readonly prompt: string;
  /** Even numbers. */
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly seed: number;
  readonly style: (typeof VIDEO_STYLES)[number];
  readonly movement: (typeof MOVEMENT_AMPLITUDES)[number];
  /** Ambient sound. */
  readonly audio: boolean;
  /** A pad. */
  readonly music: boolean;
  /** Replaces the prompt by one that the renderer makes from the image or the prompt. */
  readonly recommended: boolean;
}

export interface PosterRequest {
  readonly kind: 'poster';
  readonly input: string;
  /** A PNG. */
  readonly output: string;
  readonly longestEdge: number;
}

export interface RenderOptions {
  readonly signal?: AbortSignal | undefined;
  /** From 0 to 1, never decreasing. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** The picture, video or request is at fault, so another try would fail too. The message is for people. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
}
