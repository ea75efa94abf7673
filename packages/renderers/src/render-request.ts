import type {
  MOVEMENT_AMPLITUDES,
  RELIGHT_ENGINES,
  RELIGHT_STYLES,
  SKIN_PURPOSES,
  TRANSFER_LIGHT_A,
  TRANSFER_LIGHT_B,
  VIDEO_STYLES,
} from '@atelier/contracts/proxy-words';

/** What the renderers are asked for. Plain data: it crosses to a thread. Paths are of files on this machine. */
export type RenderRequest = SkinRequest | RelightRequest | VideoRequest | PosterRequest;

export interface SkinRequest {
  readonly kind: 'skin';
  readonly input: string;
  readonly output: string;
  readonly settings: SkinSettings;
}

export type SkinMode = 'creative' | 'faithful' | 'flexible';

export type SkinPurpose = (typeof SKIN_PURPOSES)[number];

/** Numbers are whole, from 0 to 100. */
export interface SkinSettings {
  readonly mode: SkinMode;
  readonly sharpen: number;
  readonly smartGrain: number;
  /** Of the faithful mode. */
  readonly skinDetail?: number | undefined;
  /** Of the flexible mode. */
  readonly optimizedFor?: SkinPurpose | undefined;
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

export type RelightStyle = (typeof RELIGHT_STYLES)[number];

export type RelightEngine = (typeof RELIGHT_ENGINES)[number];

export type TransferLightA = (typeof TRANSFER_LIGHT_A)[number];

export type TransferLightB = (typeof TRANSFER_LIGHT_B)[number];

export interface RelightSettings {
  /** May have weights, as in `(golden hour:1.3)`. */
  readonly prompt: string;
  /** 0 to 100. */
  readonly strength: number;
  readonly style: RelightStyle;
  readonly changeBackground: boolean;
  readonly interpolateFromOriginal: boolean;
  readonly preserveDetails: boolean;
  /** 0 to 100 each; 50 changes nothing. */
  readonly whites: number;
  readonly blacks: number;
  readonly brightness: number;
  readonly contrast: number;
  readonly saturation: number;
  readonly engine: RelightEngine;
  readonly transferLightA: TransferLightA;
  readonly transferLightB: TransferLightB;
  /** The same request gives the same picture; otherwise `seed` varies it. */
  readonly fixedGeneration: boolean;
  readonly seed: number;
}

/** What a request has that asks for nothing: as the defaults of the wire, without a prompt. */
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
  /** The mark; absent: the renderer's own. */
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
  /** A prompt that the renderer makes, of the image or else of `prompt`, takes its place. */
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
  /** From 0 to 1, never less than before. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** The picture, video or request is at fault, not the renderer: another try would end the same. The message is for people. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
}
