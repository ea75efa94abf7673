import { nodesIn } from '../nodes-in.ts';
import * as audioChannels from './audio-channels.ts';
import * as audioEdit from './audio-edit.ts';
import * as loadAudio from './load-audio.ts';
import * as saveAudio from './save-audio.ts';

export const audioNodes = nodesIn(loadAudio, saveAudio, audioEdit, audioChannels);
