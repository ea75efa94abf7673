import type { Workflow } from '../support/workflows.ts';

/** A file that is uploaded before the workflow is submitted. */
export interface Upload {
  readonly name: string;
  readonly bytes: () => Promise<Uint8Array>;
  readonly subfolder?: string;
}

/** One workflow that must do the same at a ComfyUI and through Atelier. */
export interface Case {
  readonly title: string;
  /** `prefix` is a folder for its files that no other case uses; `run` counts from 0. */
  readonly workflow: (prefix: string, run: number) => Workflow;
  /** Runs only with the tiny checkpoints. */
  readonly needsModels?: boolean;
  readonly uploads?: readonly Upload[];
  /** Other members of the submission. */
  readonly submission?: Readonly<Record<string, unknown>>;
  /** How often it runs, one after the other. */
  readonly runs?: number;
  /** It is cancelled once this node reports its second step. */
  readonly cancelsAt?: string;
  /** How it must end at ComfyUI (`success`), so that two equal failures do not pass for a success. */
  readonly ends?: 'success' | 'error' | 'interrupted' | 'refused' | 'partly refused';
  /** Why the answer of Atelier to a bad workflow is another one than that of ComfyUI 0.7. Only its status is compared. */
  readonly answersOtherwise?: string;
}

export type Link = readonly [id: string, output: number];

export const node = (class_type: string, inputs: Readonly<Record<string, unknown>> = {}) => ({
  class_type,
  inputs,
});

/** A picture with something in it, without a model. */
export function twoColors(id: string, color = 0xcc_44_22): Workflow {
  const size = { width: 48, height: 32, batch_size: 1 };
  return {
    [`${id}a`]: node('EmptyImage', { ...size, color }),
    [`${id}b`]: node('EmptyImage', { ...size, color: 0x11_88_ee }),
    [id]: node('ImageStitch', {
      image1: [`${id}a`, 0],
      image2: [`${id}b`, 0],
      direction: 'right',
      match_image_size: true,
      spacing_width: 4,
      spacing_color: 'white',
    }),
  };
}

export const save = (from: Link, prefix: string) =>
  node('SaveImage', { images: from, filename_prefix: prefix });
