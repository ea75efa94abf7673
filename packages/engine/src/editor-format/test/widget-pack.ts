import {
  autogrow,
  boolean,
  combo,
  defineNode,
  definePack,
  float,
  int,
  link,
  listCombo,
  optional,
  output,
  string,
} from '../../index.ts';

const OUTPUT = { category: 'test', outputNode: true, outputs: [output('INT')], run: () => [0] as const };

/** Node types with widgets that none of the built-in ones has. */
export const pack = definePack({
  name: 'widgets',
  nodes: [
    defineNode({
      ...OUTPUT,
      type: 'SeedFirst',
      inputs: {
        after: optional(int({ default: 7 })),
        noise_seed: int(),
        image: optional(link('IMAGE')),
        steps: int({ default: 20 }),
        plain: int({ default: 1, control_after_generate: false }),
      },
    }),
    defineNode({
      ...OUTPUT,
      type: 'Controlled',
      inputs: {
        choice: combo(['a', 'b'], { control_after_generate: true }),
        amount: float({ default: 0.5 }),
      },
    }),
    defineNode({
      ...OUTPUT,
      type: 'Upload',
      inputs: {
        file: listCombo(['x.png', 'y.png'], { image_upload: true }),
        channel: listCombo(['red', 'green']),
        strict: optional(boolean({ default: true })),
      },
    }),
    defineNode({
      ...OUTPUT,
      type: 'Forced',
      inputs: { first: int({ forceInput: true }), second: int(), third: string() },
    }),
    defineNode({
      ...OUTPUT,
      type: 'Growing',
      inputs: {
        numbers: autogrow(int({ default: 3 }), { prefix: 'number', min: 1, max: 4 }),
        last: string(),
      },
    }),
    defineNode({
      ...OUTPUT,
      type: 'Boxed',
      inputs: {
        box: link('BOUNDING_BOX'),
        points: link('CURVE'),
        view: optional(link('IMAGECOMPARE')),
        name: string(),
      },
    }),
  ],
});
