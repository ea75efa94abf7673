import { randomInt } from 'node:crypto';
import {
  combo,
  defineNode,
  dynamicCombo,
  type FolderName,
  type FullResult,
  link,
  type NodeContext,
  output,
  string,
  valueError,
} from '@atelier/engine';
import type { AudioFile } from '../av/write-audio.ts';
import { type SaveContent, saveNumbered } from '../files/save-path.ts';
import { METADATA_INPUTS, metadataTexts } from '../image/io/job-metadata.ts';
import { loadMediaWork } from '../load-media-work.ts';
import { type Audio, newWaveform } from '../values/audio.ts';

const MP3_QUALITIES = ['V0', '128k', '320k'] as const;
const OPUS_QUALITIES = ['64k', '96k', '128k', '192k', '320k'] as const;
type Quality = (typeof MP3_QUALITIES)[number] | (typeof OPUS_QUALITIES)[number];

const prefix = () => string({ default: 'audio/ComfyUI' });

function deprecatedSaver<const Q extends readonly Quality[]>(
  codec: AudioFile['codec'],
  {
    type,
    label,
    description,
    qualities,
  }: { type: string; label: string; description: string; qualities?: readonly [Q, Q[number]] },
) {
  return defineNode({
    type,
    title: `Save Audio (${label}) (DEPRECATED)`,
    category: 'audio',
    description,
    searchAliases: [`export ${codec}`],
    deprecated: true,
    outputNode: true,
    inputs: {
      audio: link('AUDIO'),
      filename_prefix: prefix(),
      ...(qualities && { quality: combo(qualities[0], { default: qualities[1] }) }),
    },
    hidden: METADATA_INPUTS,
    outputs: [output('AUDIO', { name: 'audio' })],
    async run({ audio, filename_prefix, quality }, context) {
      return await save(audio, { prefix: filename_prefix, codec, ...(quality && { quality }) }, context);
    },
  });
}

export const saveAudio = deprecatedSaver('flac', {
  type: 'SaveAudio',
  label: 'FLAC',
  description: 'Saves sounds as FLAC files, which lose nothing.',
});
export const saveAudioMp3 = deprecatedSaver('mp3', {
  type: 'SaveAudioMP3',
  label: 'MP3',
  description: 'Saves sounds as MP3 files.',
  qualities: [MP3_QUALITIES, 'V0'],
});
export const saveAudioOpus = deprecatedSaver('opus', {
  type: 'SaveAudioOpus',
  label: 'Opus',
  description: 'Saves sounds as Opus files.',
  qualities: [OPUS_QUALITIES, '128k'],
});

export const saveAudioAdvanced = defineNode({
  type: 'SaveAudioAdvanced',
  title: 'Save Audio (Advanced)',
  category: 'audio',
  description: 'Saves sounds in the output folder.',
  searchAliases: ['save audio', 'export audio', 'output audio', 'write audio', 'flac', 'mp3', 'opus'],
  outputNode: true,
  inputs: {
    audio: link('AUDIO', { tooltip: 'What to save.' }),
    filename_prefix: string({
      default: 'audio/ComfyUI',
      tooltip: 'How the names of the files start. May hold folders and tokens such as %date:yyyy-MM-dd%.',
    }),
    format: dynamicCombo(
      {
        flac: {},
        mp3: { quality: combo(MP3_QUALITIES, { default: 'V0' }) },
        opus: { quality: combo(OPUS_QUALITIES, { default: '128k' }) },
      },
      { tooltip: 'The kind of file.' },
    ),
  },
  hidden: METADATA_INPUTS,
  outputs: [output('AUDIO', { name: 'audio' })],
  async run({ audio, filename_prefix, format }, context) {
    const quality = format.choice === 'flac' ? {} : { quality: format.quality };
    return await save(audio, { prefix: filename_prefix, codec: format.choice, ...quality }, context);
  },
});

export const previewAudio = defineNode({
  type: 'PreviewAudio',
  title: 'Preview Audio',
  category: 'audio',
  description: 'Plays a sound without keeping it.',
  searchAliases: ['preview', 'preview audio', 'play audio'],
  outputNode: true,
  inputs: { audio: link('AUDIO') },
  hidden: METADATA_INPUTS,
  outputs: [output('AUDIO', { name: 'audio' })],
  async run({ audio }, context) {
    const letters = Array.from({ length: 5 }, () => String.fromCharCode(97 + randomInt(26))).join('');
    return await save(audio, { prefix: `ComfyUI_temp_${letters}`, codec: 'flac', folder: 'temp' }, context);
  },
});

interface SaveSettings {
  readonly prefix: string;
  readonly codec: AudioFile['codec'];
  readonly quality?: Quality;
  readonly folder?: FolderName;
}

async function save(
  audio: Audio | null,
  { prefix: filenamePrefix, codec, quality, folder = 'output' }: SaveSettings,
  context: NodeContext,
): Promise<FullResult<readonly [Audio]>> {
  if (!audio) {
    throw valueError('There is no sound to save; the video it should come from may be silent.');
  }
  const tags = Object.fromEntries(metadataTexts(context.hidden));
  const file: AudioFile = { codec, tags, ...bitRateOf(quality) };
  const { writeAudio } = await loadMediaWork();
  async function* files(sounds: Audio): AsyncGenerator<SaveContent> {
    const { batch } = sounds.waveform;
    for (let item = 0; item < batch; item += 1) {
      const localPath = await context.files.scratchPath(codec);
      const sound = itemOf(sounds, item, context);
      await writeAudio(localPath, sound, file, context);
      if (sound.waveform !== sounds.waveform) context.memory.free(sound.waveform.data);
      yield { localPath };
      context.progress(item + 1, batch);
    }
  }
  const saved = await saveNumbered(filenamePrefix, files(audio), { ending: `.${codec}`, folder }, context);
  return { outputs: [audio], ui: { audio: saved } };
}

function bitRateOf(quality: Quality | undefined): Pick<AudioFile, 'bitRate'> {
  if (quality === undefined) return {};
  return { bitRate: quality === 'V0' ? 'best' : Number.parseInt(quality, 10) * 1000 };
}

function itemOf({ waveform, sampleRate }: Audio, item: number, { memory }: NodeContext): Audio {
  const { batch, channels, samples, data } = waveform;
  if (batch === 1) return { waveform, sampleRate };
  const one = newWaveform(memory, { batch: 1, channels, samples });
  one.data.set(data.subarray(item * channels * samples, (item + 1) * channels * samples));
  return { waveform: one, sampleRate };
}
