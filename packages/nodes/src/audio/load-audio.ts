import { defineNode, fileCombo, output, parseFileName } from '@atelier/engine';
import { soundFiles } from '../av/media-names.ts';
import { loadMediaWork } from '../load-media-work.ts';

export const loadAudio = defineNode({
  type: 'LoadAudio',
  title: 'Load Audio',
  category: 'audio',
  description: 'Reads the sound of an audio or video file.',
  searchAliases: ['import audio', 'open audio', 'audio file'],
  inputs: { audio: fileCombo(soundFiles, { style: 'named', audio_upload: true }) },
  outputs: [output('AUDIO')],
  async fingerprint({ audio }, { files }) {
    return audio === undefined ? Number.NaN : await files.contentHash(parseFileName(audio));
  },
  validate: { inputs: ['audio'], check: { kind: 'file', media: 'audio' } },
  async run({ audio }, context) {
    const { decodeAudio, openFile } = await loadMediaWork();
    using media = await openFile(parseFileName(audio), context);
    return [await decodeAudio(media, context)];
  },
});
