import type { FileChoices } from '@atelier/engine';

const VIDEO = '3g2 3gp 3gpp 3gpp2 avi flv m1v m4v mkv mov mp4 mpe mpeg mpg movie ogv qt ts webm wmv'.split(
  ' ',
);
const AUDIO = 'aac adts aif aifc aiff au flac loas m4a mp2 mp3 oga ogg opus ra snd wav weba wma'.split(' ');

/** Videos in the input folder. */
export const videoFiles: FileChoices = { folder: 'input', endings: VIDEO };

/** Files in the input folder that may have sound. */
export const soundFiles: FileChoices = { folder: 'input', endings: [...AUDIO, ...VIDEO] };
