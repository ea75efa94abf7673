import { type Case, node, save, twoColors } from '../case.ts';

export const LOGIC_CASES: readonly Case[] = [
  {
    title: 'PreviewAny shows texts and numbers',
    workflow: () => ({
      '1': node('PrimitiveString', { value: 'Grüße, "猫"\n\t<b>🐈</b>' }),
      '2': node('PreviewAny', { source: ['1', 0] }),
      '3': node('PrimitiveFloat', { value: 0.1 }),
      '4': node('PreviewAny', { source: ['3', 0] }),
      '5': node('PrimitiveBoolean', { value: true }),
      '6': node('PreviewAny', { source: ['5', 0] }),
    }),
  },
  {
    title: 'a large whole number',
    workflow: () => ({
      '1': node('PrimitiveInt', { value: 4_503_599_627_370_497 }),
      '2': node('PreviewAny', { source: ['1', 0] }),
    }),
  },
  {
    title: 'text nodes one after the other',
    workflow: () => ({
      '1': node('StringConcatenate', { string_a: 'a cat', string_b: 'a dog', delimiter: ' and ' }),
      '2': node('StringReplace', { string: ['1', 0], find: 'cat', replace: 'bird' }),
      '3': node('CaseConverter', { string: ['2', 0], mode: 'Title Case' }),
      '4': node('StringLength', { string: ['3', 0] }),
      '5': node('PreviewAny', { source: ['3', 0] }),
      '6': node('PreviewAny', { source: ['4', 0] }),
    }),
  },
  {
    title: 'a switch runs one branch only',
    workflow: (prefix) => ({
      ...twoColors('1'),
      '2': node('ImageInvert', { image: ['1', 0] }),
      '3': node('ImageRotate', { image: ['1', 0], rotation: '180 degrees' }),
      '4': node('StringCompare', { string_a: 'a', string_b: 'b', mode: 'Equal', case_sensitive: true }),
      '5': node('ComfySwitchNode', { switch: ['4', 0], on_false: ['2', 0], on_true: ['3', 0] }),
      '6': save(['5', 0], `${prefix}/switched`),
    }),
  },
  {
    title: 'GetImageSize tells its numbers while it runs',
    workflow: () => ({
      ...twoColors('1'),
      '2': node('GetImageSize', { image: ['1', 0] }),
      '3': node('PreviewAny', { source: ['2', 0] }),
    }),
  },
  {
    title: 'partial_execution_targets runs what they need only',
    submission: { partial_execution_targets: ['4'] },
    workflow: (prefix) => ({
      ...twoColors('1'),
      '2': node('ImageInvert', { image: ['1', 0] }),
      '3': save(['2', 0], `${prefix}/not-made`),
      '4': save(['1', 0], `${prefix}/made`),
    }),
  },
  {
    title: 'nodes that no output needs do not run',
    workflow: (prefix) => ({
      ...twoColors('1'),
      '2': node('ImageInvert', { image: ['1', 0] }),
      '3': save(['1', 0], `${prefix}/used`),
    }),
  },
  {
    title: 'odd ids of nodes, with titles',
    workflow: (prefix) => ({
      'größe 猫': {
        ...node('EmptyImage', { width: 8, height: 8, batch_size: 1, color: 1 }),
        _meta: { title: 'Ein Bild' },
      },
      '7:12': node('ImageInvert', { image: ['größe 猫', 0] }),
      last: save(['7:12', 0], `${prefix}/odd`),
    }),
  },
];
