import { type Case, node, save, twoColors } from '../case.ts';

/** A type that no ComfyUI has. */
export const NO_TYPE = 'AtelierHasNoSuchNode';

export const ERROR_CASES: readonly Case[] = [
  {
    title: 'an unknown node type',
    ends: 'refused',
    answersOtherwise: 'later versions of ComfyUI answer like this',
    workflow: () => ({ ...twoColors('1'), '2': node(NO_TYPE, { image: ['1', 0] }) }),
  },
  { title: 'no node at all', ends: 'refused', workflow: () => ({}) },
  { title: 'no output node', ends: 'refused', workflow: () => twoColors('1') },
  {
    title: 'a required input is missing',
    ends: 'refused',
    workflow: (prefix) => ({ '1': node('ImageInvert'), '2': save(['1', 0], prefix) }),
  },
  {
    title: 'values out of range, of another type and not in the list',
    ends: 'refused',
    workflow: (prefix) => ({
      '1': node('EmptyImage', { width: 0, height: 99_999, batch_size: 'many', color: 0 }),
      '2': node('ImageRotate', { image: ['1', 0], rotation: '45 degrees' }),
      '3': save(['2', 0], prefix),
    }),
  },
  {
    title: 'a link to an output of another type',
    ends: 'refused',
    workflow: (prefix) => ({
      '1': node('SolidMask', { value: 1, width: 8, height: 8 }),
      '2': save(['1', 0], prefix),
    }),
  },
  {
    title: 'a link to a node that is not there',
    ends: 'refused',
    answersOtherwise: 'ComfyUI shows the traceback of its validation',
    workflow: (prefix) => ({ '2': save(['1', 0], prefix) }),
  },
  {
    title: 'a circle',
    ends: 'refused',
    answersOtherwise: 'later versions of ComfyUI name the circle',
    workflow: (prefix) => ({
      '1': node('ImageInvert', { image: ['2', 0] }),
      '2': node('ImageInvert', { image: ['1', 0] }),
      '3': save(['2', 0], prefix),
    }),
  },
  {
    title: 'a target that is not there',
    ends: 'refused',
    submission: { partial_execution_targets: ['99'] },
    workflow: (prefix) => ({ ...twoColors('1'), '2': save(['1', 0], prefix) }),
  },
  {
    title: 'an input file that is not there',
    ends: 'refused',
    workflow: (prefix) => ({
      '1': node('LoadImage', { image: 'missing.png' }),
      '2': save(['1', 0], prefix),
    }),
  },
  {
    title: 'a model that is not there',
    ends: 'refused',
    workflow: (prefix) => ({
      '1': node('CheckpointLoaderSimple', { ckpt_name: 'missing.safetensors' }),
      '2': node('EmptyLatentImage', { width: 64, height: 64, batch_size: 1 }),
      '3': node('VAEDecode', { samples: ['2', 0], vae: ['1', 2] }),
      '4': save(['3', 0], prefix),
    }),
  },
  {
    title: 'one bad output beside a good one',
    ends: 'partly refused',
    workflow: (prefix) => ({
      ...twoColors('1'),
      '2': save(['1', 0], `${prefix}/good`),
      '3': node('ImageRotate', { image: ['1', 0], rotation: '45 degrees' }),
      '4': save(['3', 0], `${prefix}/bad`),
    }),
  },
  {
    title: 'a node fails while it runs, after another one has shown something',
    ends: 'error',
    workflow: () => ({
      '1': node('PrimitiveString', { value: 'text' }),
      '2': node('PreviewAny', { source: ['1', 0] }),
      '3': node('RegexReplace', {
        string: ['1', 0],
        regex_pattern: '(',
        replace: '',
        case_insensitive: true,
        multiline: false,
        dotall: false,
        count: 0,
      }),
      '4': node('PreviewAny', { source: ['3', 0] }),
    }),
  },
  {
    title: 'a file name that leaves the folder',
    ends: 'error',
    workflow: () => ({ ...twoColors('1'), '2': save(['1', 0], '../../outside') }),
  },
];
