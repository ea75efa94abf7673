import { randomUUID } from 'node:crypto';

/** A workflow in the API format. */
export type Workflow = Readonly<
  Record<string, { readonly class_type: string; readonly inputs: Readonly<Record<string, unknown>> }>
>;

/** Works on nothing: a text is shown. Each is another text, so that no result of an earlier one is known. */
export function textWorkflow(text: string = randomUUID()): Workflow {
  return {
    '1': { class_type: 'PrimitiveString', inputs: { value: text } },
    '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
  };
}

/** A text of 2^`doublings` characters that no other test makes, shown as `show`, in a workflow that is short itself. */
export function longTextWorkflow(doublings: number): Workflow {
  const seed = randomUUID().replaceAll('-', '');
  const steps = Array.from({ length: doublings - 5 }, (_, n) => [
    `${n + 1}`,
    {
      class_type: 'StringConcatenate',
      inputs: { string_a: [`${n}`, 0], string_b: [`${n}`, 0], delimiter: '' },
    },
  ]);
  return {
    '0': { class_type: 'PrimitiveString', inputs: { value: seed } },
    ...(Object.fromEntries(steps) as Workflow),
    show: { class_type: 'PreviewAny', inputs: { source: [`${doublings - 5}`, 0] } },
  };
}

/** Makes a picture of one color and saves it. */
export function pictureWorkflow({
  width = 32,
  height = 24,
  color = Math.floor(Math.random() * 0xff_ff_ff),
  prefix = 'picture',
} = {}): Workflow {
  return {
    '1': { class_type: 'EmptyImage', inputs: { width, height, batch_size: 1, color } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: prefix } },
  };
}

/** Makes a short video of one color and saves it. */
export function videoWorkflow({ width = 512, height = 256, color = 0xff8000 } = {}): Workflow {
  return {
    '1': { class_type: 'EmptyImage', inputs: { width, height, batch_size: 8, color } },
    '2': { class_type: 'CreateVideo', inputs: { images: ['1', 0], fps: 8 } },
    '3': {
      class_type: 'SaveVideo',
      inputs: { video: ['2', 0], filename_prefix: 'film', format: 'mp4', codec: 'h264' },
    },
  };
}

/** Works for some seconds, picture by picture, so that there is something to watch and to cancel. */
export function longWorkflow({ pictures = 64, size = 512 } = {}): Workflow {
  const color = Math.floor(Math.random() * 0xff_ff_ff);
  return {
    '1': { class_type: 'EmptyImage', inputs: { width: size, height: size, batch_size: pictures, color } },
    '2': { class_type: 'ImageBlur', inputs: { image: ['1', 0], blur_radius: 31, sigma: 10 } },
    '3': { class_type: 'PreviewImage', inputs: { images: ['2', 0] } },
  };
}

/** Fails in node 2: a picture of three channels has no alpha. */
export function failingWorkflow(): Workflow {
  const color = Math.floor(Math.random() * 0xff_ff_ff);
  return {
    '1': { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color } },
    '2': { class_type: 'ImageToMask', inputs: { image: ['1', 0], channel: 'alpha' } },
    '3': { class_type: 'MaskPreview', inputs: { mask: ['2', 0] } },
  };
}

/** A file of the editor: makes a picture and saves it. */
export const EDITOR_WORKFLOW = {
  nodes: [
    {
      id: 1,
      type: 'EmptyImage',
      mode: 0,
      widgets_values: [32, 16, 1, 255],
      outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [1] }],
    },
    {
      id: 2,
      type: 'SaveImage',
      title: 'Keep',
      mode: 0,
      widgets_values: ['editor'],
      inputs: [{ name: 'images', type: 'IMAGE', link: 1 }],
    },
  ],
  links: [[1, 1, 0, 2, 0, 'IMAGE']],
  version: 0.4,
};
