import { VIDEO_ASPECT_RATIOS } from '@atelier/contracts/proxy-words';
import { defineNode, output, string } from '@atelier/engine';
import { generateVideo } from './generate-video.ts';
import { choice, flag, HIDDEN } from './inputs.ts';
import { DEFAULT_MODEL, given, model, settingInputs, toSettings } from './video-settings.ts';

export const textToVideo = defineNode({
  type: 'TextToVideo',
  title: 'Text to Video',
  category: 'partner/video',
  description:
    'Makes a video of a text through the generation service of this server, paid with your credits.',
  searchAliases: ['generate video', 'prompt to video', 't2v'],
  apiNode: true,
  async: true,
  hasIntermediateOutput: true,
  inputs: {
    model,
    prompt: string({
      multiline: true,
      dynamicPrompts: true,
      tooltip: 'What the video shows, in at most 2000 characters.',
    }),
    aspect_ratio: choice(VIDEO_ASPECT_RATIOS, '16:9', '3:4 and 4:3 are for q2 and q3 models.'),
    is_rec: flag(false, 'Takes a recommended prompt, made of yours, instead of it, for 10 credits more.', {
      advanced: true,
    }),
    ...settingInputs,
  },
  hidden: HIDDEN,
  outputs: [output('VIDEO')],
  async run({ model: chosen = DEFAULT_MODEL, prompt, aspect_ratio, is_rec, ...values }, context) {
    const settings = { model: chosen, prompt, ...given({ aspect_ratio, is_rec }), ...toSettings(values) };
    return await generateVideo({ name: 'TextToVideo', create: 'text2video', settings }, context);
  },
});
