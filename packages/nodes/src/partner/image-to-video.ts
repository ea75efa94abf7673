import { boolean, defineNode, link, optional, output, string } from '@atelier/engine';
import { onlyOne } from './generate-pictures.ts';
import { generateVideo } from './generate-video.ts';
import { HIDDEN } from './hidden.ts';
import { DEFAULT_MODEL, model, settingInputs, toSettings } from './video-settings.ts';

export const imageToVideo = defineNode({
  type: 'ImageToVideo',
  title: 'Image to Video',
  category: 'partner/video',
  description:
    'Makes a video that begins with a picture, through the generation service of this server, paid with your credits. Its shape is that of the picture.',
  searchAliases: ['animate image', 'picture to video', 'start frame', 'i2v'],
  apiNode: true,
  async: true,
  hasIntermediateOutput: true,
  inputs: {
    image: link('IMAGE', { tooltip: 'The first frame: exactly one picture.' }),
    model,
    prompt: optional(
      string({
        multiline: true,
        default: '',
        dynamicPrompts: true,
        tooltip: 'What happens in the video, in at most 2000 characters; may be empty.',
      }),
    ),
    is_rec: optional(
      boolean({
        default: false,
        advanced: true,
        tooltip: 'Takes a prompt that is made of the picture instead of yours, for 10 credits more.',
      }),
    ),
    voice_id: optional(
      string({ default: '', advanced: true, tooltip: 'The voice that speaks. Without effect on q3 models.' }),
    ),
    ...settingInputs,
  },
  hidden: HIDDEN,
  outputs: [output('VIDEO')],
  async run(
    { image, model: chosen = DEFAULT_MODEL, prompt = '', is_rec, voice_id = '', ...values },
    context,
  ) {
    const settings = {
      model: chosen,
      prompt,
      ...(is_rec === undefined ? {} : { is_rec }),
      ...(voice_id === '' ? {} : { voice_id }),
      ...toSettings(values),
    };
    return await generateVideo(
      { name: 'ImageToVideo', path: '/proxy/videovendor/img2video', settings, image: onlyOne(image) },
      context,
    );
  },
});
