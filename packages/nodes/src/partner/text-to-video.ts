import { VIDEO_ASPECT_RATIOS } from '@atelier/contracts/proxy-words';
import { boolean, combo, defineNode, optional, output, string } from '@atelier/engine';
import { generateVideo } from './generate-video.ts';
import { HIDDEN } from './hidden.ts';
import { DEFAULT_MODEL, model, settingInputs, toSettings } from './video-settings.ts';

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
    aspect_ratio: optional(
      combo(VIDEO_ASPECT_RATIOS, {
        default: '16:9',
        tooltip: '3:4 and 4:3 are for q2 and q3 models.',
      }),
    ),
    is_rec: optional(
      boolean({
        default: false,
        advanced: true,
        tooltip: 'Takes a recommended prompt, made of yours, instead of it, for 10 credits more.',
      }),
    ),
    ...settingInputs,
  },
  hidden: HIDDEN,
  outputs: [output('VIDEO')],
  async run({ model: chosen = DEFAULT_MODEL, prompt, aspect_ratio, is_rec, ...values }, context) {
    const settings = {
      model: chosen,
      prompt,
      ...(aspect_ratio === undefined ? {} : { aspect_ratio }),
      ...(is_rec === undefined ? {} : { is_rec }),
      ...toSettings(values),
    };
    return await generateVideo(
      { name: 'TextToVideo', path: '/proxy/videovendor/text2video', settings },
      context,
    );
  },
});
