import { defineNode, fileCombo, output, parseFileName } from '@atelier/engine';
import { videoFiles } from '../av/media-names.ts';

export const loadVideo = defineNode({
  type: 'LoadVideo',
  title: 'Load Video',
  category: 'video',
  description: 'Takes a video file. It is read where its frames are needed.',
  searchAliases: ['import video', 'open video', 'video file'],
  inputs: { file: fileCombo(videoFiles, { style: 'named', video_upload: true }) },
  outputs: [output('VIDEO')],
  async fingerprint({ file }, { files }) {
    return file === undefined ? Number.NaN : await files.modifiedMs(parseFileName(file));
  },
  validate: { inputs: ['file'], check: { kind: 'file', media: 'video' } },
  run({ file }) {
    return [{ kind: 'file', ref: parseFileName(file), window: null }];
  },
});
