import type { Input } from '../declare/inputs.ts';

/** Sockets that the editor has a widget for, though the engine takes any value. */
const WIDGET_SOCKETS = new Set([
  'BOUNDING_BOX',
  'BOUNDING_BOXES',
  'COLOR',
  'COLORS',
  'COMPOSITOR',
  'CURVE',
  'MARKDOWN',
  'PAINTER',
  'RANGE',
  'TEXTAREA',
  'VIDEO_EDIT',
  'WEBCAM',
]);
/** Widgets that only show something: saved, but never sent. */
const DISPLAY_SOCKETS = new Set(['CHART', 'GALLERIA', 'IMAGECOMPARE', 'RESOLUTION_PREVIEW']);

/** Whether the editor makes a widget of the input, so that a value of it is saved. */
export function hasWidget(input: Input): boolean {
  if (input.kind === 'link') return WIDGET_SOCKETS.has(input.socket) || isDisplay(input);
  return input.kind !== 'matchType' && input.kind !== 'autogrow';
}

export function isDisplay(input: Input): boolean {
  return input.kind === 'link' && DISPLAY_SOCKETS.has(input.socket);
}

/** What a new widget has. The first of the user's files is not known here. */
export function defaultOf(input: Input): unknown {
  switch (input.kind) {
    case 'int':
    case 'float':
      return input.options.default ?? 0;
    case 'string':
      return input.options.default ?? '';
    case 'boolean':
      return input.options.default ?? false;
    case 'combo':
      return input.options.default ?? ('folder' in input.choices ? undefined : input.choices[0]);
    case 'dynamicCombo':
      return Object.keys(input.choices)[0];
    case 'link':
      return input.options.default;
    case 'autogrow':
    case 'matchType':
      return undefined;
  }
}

/** Whether a saved value can be that of a widget which the editor puts after another one. */
export type Companion = (saved: unknown) => boolean;

const CONTROL_WORDS = new Set<unknown>(['fixed', 'increment', 'decrement', 'randomize', 'increment-wrap']);
const SEED_NAMES = new Set(['seed', 'noise_seed']);

/** What is to be done with a seed after each run. Files from before it was declared have the next widget's value here. */
const isControl: Companion = (saved) =>
  CONTROL_WORDS.has(saved) || !['string', 'number', 'bigint'].includes(typeof saved);
export const isControlWord: Companion = (saved) => CONTROL_WORDS.has(saved);
const isFilter: Companion = (saved) => typeof saved === 'string';
const isEdge: Companion = (saved) => typeof saved === 'number';
/** The button to upload a file. */
export const isUpload: Companion = (saved) => saved === 'image' || saved === '' || saved === null;

/** The widgets that the editor puts after that of an input, which are saved but are not inputs. */
export function companionsOf(name: string, input: Input): readonly Companion[] {
  if (input.kind === 'link') return input.socket === 'BOUNDING_BOX' ? [isEdge, isEdge, isEdge, isEdge] : [];
  if (input.kind === 'combo') return input.options.control_after_generate ? [isControl, isFilter] : [];
  if (input.kind !== 'int' && input.kind !== 'float') return [];
  const { control_after_generate: declared } = input.options;
  return (declared ?? (input.kind === 'int' && SEED_NAMES.has(name))) ? [isControl] : [];
}

export function hasUpload(input: Input): boolean {
  if (input.kind !== 'combo') return false;
  const { image_upload, video_upload, audio_upload } = input.options;
  return Boolean(image_upload ?? video_upload ?? audio_upload);
}
