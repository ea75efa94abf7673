import { companionsOf, type Input } from '@atelier/engine/editor-format';

export type WidgetKind =
  | 'int'
  | 'float'
  | 'text'
  | 'multiline'
  | 'boolean'
  | 'choice'
  | 'choices'
  | 'color'
  | 'image'
  | 'video'
  | 'audio'
  | 'file'
  | 'json';

/** The control that edits a value. */
export function widgetKind(input: Input): WidgetKind {
  switch (input.kind) {
    case 'int':
    case 'float':
      return input.options.display === 'color' ? 'color' : input.kind;
    case 'string':
      return input.options.multiline ? 'multiline' : 'text';
    case 'boolean':
      return 'boolean';
    case 'combo': {
      const { image_upload, video_upload, audio_upload, file_upload, multiselect } = input.options;
      if (multiselect) return 'choices';
      if (image_upload) return 'image';
      if (video_upload) return 'video';
      if (audio_upload) return 'audio';
      return file_upload ? 'file' : 'choice';
    }
    case 'dynamicCombo':
      return 'choice';
    case 'link':
      if (input.socket === 'COLOR') return 'color';
      return input.socket === 'TEXTAREA' || input.socket === 'MARKDOWN' ? 'multiline' : 'json';
    case 'autogrow':
    case 'matchType':
      return 'json';
  }
}

/** Whether the value is a seed. */
export function isSeed(name: string, input: Input): boolean {
  return input.kind === 'int' && companionsOf(name, input).length > 0;
}

/** The available choices. */
export function choicesOf(input: Input): readonly unknown[] {
  if (input.kind === 'dynamicCombo') return Object.keys(input.choices);
  return input.kind === 'combo' && Array.isArray(input.choices) ? input.choices : [];
}
