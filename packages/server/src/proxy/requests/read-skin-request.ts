import {
  SKIN_DEFAULTS,
  type SkinCreativeRequest,
  type SkinFaithfulRequest,
  type SkinFlexibleRequest,
} from '@atelier/contracts';

import { chooseSeed } from './choose-seed.ts';
import { problemsOfPictures } from './problems-of-pictures.ts';
import { refuseBody } from './refuse-body.ts';
import type { TaskPicture, TaskRequest } from './task-request.ts';

/** Bodies that fit their schema, by the mode of the path. */
export type SkinRequest =
  | { readonly mode: 'creative'; readonly body: SkinCreativeRequest }
  | { readonly mode: 'faithful'; readonly body: SkinFaithfulRequest }
  | { readonly mode: 'flexible'; readonly body: SkinFlexibleRequest };

export function readSkinRequest(request: SkinRequest, options: { readonly credits: number }): TaskRequest {
  const { mode, body } = request;
  const pictures: readonly TaskPicture[] = [{ field: 'image', value: body.image }];
  refuseBody(problemsOfPictures(pictures));
  return {
    kind: `skin-${mode}`,
    settings: settingsOf(request),
    pictures,
    credits: options.credits,
    seed: chooseSeed(),
    offPeak: false,
    webhook: body.webhook_url === undefined ? undefined : { field: 'webhook_url', url: body.webhook_url },
    shown: {},
  };
}

function settingsOf({ mode, body }: SkinRequest): TaskRequest['settings'] {
  const { sharpen = SKIN_DEFAULTS.sharpen, smart_grain = SKIN_DEFAULTS.smart_grain } = body;
  switch (mode) {
    case 'creative':
      return { sharpen, smart_grain };
    case 'faithful': {
      const { skin_detail = SKIN_DEFAULTS.skin_detail } = body;
      return { sharpen, smart_grain, skin_detail };
    }
    case 'flexible': {
      const { optimized_for = SKIN_DEFAULTS.optimized_for } = body;
      return { sharpen, smart_grain, optimized_for };
    }
  }
}
