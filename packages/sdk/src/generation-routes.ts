import { path } from './http/server-address.ts';

/** Where tasks are created, by kind. The vendor names in the paths come from the server's own table. */
export const CREATE_ROUTES = {
  faithful: '/proxy/imagevendor/v1/ai/skin-enhancer/faithful',
  creative: '/proxy/imagevendor/v1/ai/skin-enhancer/creative',
  flexible: '/proxy/imagevendor/v1/ai/skin-enhancer/flexible',
  relight: '/proxy/imagevendor/v1/ai/image-relight',
  textToVideo: '/proxy/videovendor/text2video',
  imageToVideo: '/proxy/videovendor/img2video',
} as const;

/** Where tasks are read. */
export const READ_ROUTES = {
  skin: (id: string) => path`/proxy/imagevendor/v1/ai/skin-enhancer/${id}`,
  relight: (id: string) => path`/proxy/imagevendor/v1/ai/image-relight/${id}`,
  video: (id: string) => path`/proxy/videovendor/tasks/${id}/creations`,
} as const;
