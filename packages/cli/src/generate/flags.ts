import { GENERATION_FIELDS, type GenerationField } from '@atelier/sdk';

/** A field of a generation request as a flag. */
export interface GenerationFlag extends GenerationField {
  /** With dashes. */
  readonly flag: string;
}

export const GENERATION_FLAGS = {
  skin: GENERATION_FIELDS.skin.map(toFlag),
  relight: GENERATION_FIELDS.relight.map(toFlag),
  video: GENERATION_FIELDS.video.map(toFlag),
} as const;

function toFlag(field: GenerationField, _: number, all: readonly GenerationField[]): GenerationFlag {
  const about = field.about
    .replaceAll(/`([^`]+)`/g, (_match, name: string) =>
      all.some((other) => other.field === name) ? dashed(name) : name,
    )
    .replace('base64, a data URL, or a public https URL', 'a file or a public https URL');
  return { ...field, about, flag: field.type === 'pictures' ? '--image' : dashed(field.field) };
}

/** Hoisted: the flags above call it while this module loads. */
function dashed(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** The key of the flag in Commander's parsed options. */
export function optionKey({ flag }: Pick<GenerationFlag, 'flag'>): string {
  return flag.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
