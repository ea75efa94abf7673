import { defineNode, link, output } from '@atelier/engine';
import { onlyOne } from './generate-pictures.ts';
import { generateVideo } from './generate-video.ts';
import { flag, HIDDEN, prompt as promptInput, text } from './inputs.ts';
import { DEFAULT_MODEL, given, model, settingInputs, toSettings } from './video-settings.ts';

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
    prompt: promptInput('What happens in the video, in at most 2000 characters; may be empty.'),
    is_rec: flag(false, 'Takes a prompt that is made of the picture instead of yours, for 10 credits more.', {
      advanced: true,
    }),
    voice_id: text('The voice that speaks. Without effect on q3 models.'),
    ...settingInputs,
  },
  hidden: HIDDEN,
  outputs: [output('VIDEO')],
  async run({ image, model: chosen = DEFAULT_MODEL, prompt = '', is_rec, voice_id, ...values }, context) {
    const settings = { model: chosen, prompt, ...given({ is_rec, voice_id }), ...toSettings(values) };
    const start = onlyOne(image);
    return await generateVideo(
      { name: 'ImageToVideo', create: 'img2video', settings, image: start },
      context,
    );
  },
});
