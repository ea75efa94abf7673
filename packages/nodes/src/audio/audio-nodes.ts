import type { NodeType } from '@atelier/engine';
import { audioConcat, audioMerge, joinAudioChannels, splitAudioChannels } from './audio-channels.ts';
import { audioAdjustVolume, audioEqualizer3Band, emptyAudio, trimAudioDuration } from './audio-edit.ts';
import { loadAudio } from './load-audio.ts';
import { previewAudio, saveAudio, saveAudioAdvanced, saveAudioMp3, saveAudioOpus } from './save-audio.ts';

export const audioNodes: readonly NodeType[] = [
  loadAudio,
  saveAudio,
  saveAudioMp3,
  saveAudioOpus,
  saveAudioAdvanced,
  previewAudio,
  emptyAudio,
  trimAudioDuration,
  splitAudioChannels,
  joinAudioChannels,
  audioConcat,
  audioMerge,
  audioAdjustVolume,
  audioEqualizer3Band,
];
