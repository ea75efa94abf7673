import type { ChoiceFiles, FileChoices } from '@atelier/engine';

const VIDEO = /\.(3g2|3gp|3gpp|3gpp2|avi|flv|m1v|m4v|mkv|mov|mp4|mpe|mpeg|mpg|movie|ogv|qt|ts|webm|wmv)$/i;
const AUDIO = /\.(aac|adts|aif|aifc|aiff|au|flac|loas|m4a|mp2|mp3|oga|ogg|opus|ra|snd|wav|weba|wma)$/i;

/** The videos in the input folder, by name. */
export const videoFiles: FileChoices = async (files) => await named(files, (name) => VIDEO.test(name));

/** Whatever in the input folder may hold sound, by name. */
export const soundFiles: FileChoices = async (files) =>
  await named(files, (name) => AUDIO.test(name) || VIDEO.test(name));

async function named(files: ChoiceFiles, fits: (name: string) => boolean): Promise<readonly string[]> {
  return (await files.list('input', '')).filter(fits).toSorted(byCodePoints);
}

function byCodePoints(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
