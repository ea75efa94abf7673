import {
  type ImageTaskData,
  ImageTaskResponse,
  RelightRequest,
  SkinCreativeRequest,
  SkinFaithfulRequest,
  SkinFlexibleRequest,
  VENDORS,
} from '@atelier/contracts';

import { originOf } from '../local-rendering.ts';
import { readRelightRequest, readSkinRequest } from '../requests/read-image-request.ts';
import type { TaskLinks } from '../task-links.ts';
import { errorOf, type Task, type TaskFile } from '../tasks.repo.ts';
import { HTTP_IMAGE_VENDOR } from './http-image.ts';
import { LOCAL_IMAGE_VENDOR } from './local-image.ts';
import { createRoute, type VendorDefinition } from './vendor-definition.ts';

async function toData(task: Task, files: readonly TaskFile[], links: TaskLinks): Promise<ImageTaskData> {
  return {
    task_id: task.id,
    status: VENDORS.imagevendor.states[task.state],
    generated: await links.toResults(task, files, 'picture'),
    ...originOf(task),
    ...errorOf(task),
  };
}

const answer = {
  schema: ImageTaskResponse,
  toAnswer: async (...args: Parameters<typeof toData>) => ({ data: await toData(...args) }),
};

export const imageVendor: VendorDefinition<'imagevendor'> = {
  creates: {
    'skin.creative': createRoute({
      summary: 'Enhance skin, with more freedom',
      body: SkinCreativeRequest,
      read: (body, { prices }) => readSkinRequest('creative', body, prices['skin-enhancer']),
    }),
    'skin.faithful': createRoute({
      summary: 'Enhance skin, true to the original',
      body: SkinFaithfulRequest,
      read: (body, { prices }) => readSkinRequest('faithful', body, prices['skin-enhancer']),
    }),
    'skin.flexible': createRoute({
      summary: 'Enhance skin for a purpose',
      description: '`optimized_for` is the purpose.',
      body: SkinFlexibleRequest,
      read: (body, { prices }) => readSkinRequest('flexible', body, prices['skin-enhancer']),
    }),
    relight: createRoute({
      summary: 'Change the light of a picture',
      description: 'The light comes from the `prompt`, a reference image or a light map.',
      body: RelightRequest,
      read: (body, { prices }) => readRelightRequest(body, prices['image-relight']),
    }),
  },
  webhookField: 'webhook_url',
  created: answer,
  read: answer,
  toMessage: toData,
  http: HTTP_IMAGE_VENDOR,
  local: LOCAL_IMAGE_VENDOR,
};
