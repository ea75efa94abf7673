import { Type } from 'typebox';

import { notFound } from '../platform/errors/app-error.ts';
import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { App } from '../platform/http/route-config.ts';
import { HOST_DEFAULTS } from '../platform/http/route-defaults.ts';

/** Model files by folder, of all workers together. */
export type ModelFiles = Readonly<Record<string, readonly string[]>>;

/** The folders of ComfyUI for models. They are listed even if no worker has any. */
const FOLDERS: readonly string[] =
  'checkpoints loras vae text_encoders diffusion_models clip_vision style_models embeddings diffusers vae_approx controlnet gligen upscale_models latent_upscale_models hypernetworks photomaker classifiers model_patches audio_encoders'.split(
    ' ',
  );
const Names = Type.Array(Type.String());

/** Which models the workers have. */
export function modelsRoutes({ models }: { readonly models: () => ModelFiles }) {
  const folders = (): string[] => [...new Set([...FOLDERS, ...Object.keys(models())])];

  function filesIn(folder: string): readonly string[] {
    const all = models();
    if (Object.hasOwn(all, folder)) return all[folder] ?? [];
    if (!FOLDERS.includes(folder)) throw notFound('folder', folder);
    return [];
  }

  return async (app: App): Promise<void> => {
    const parameters = { folder: 'One of the folders of `GET /models`.' };
    const route = createRouteDefiner(app, { ...HOST_DEFAULTS, tag: 'host', parameters });
    route('GET', '/models', {
      operation: 'models.folders',
      summary: 'Folders for models',
      description: 'The folder names of ComfyUI, and those that a worker has besides.',
      response: { 200: Names },
      handle: async () => folders(),
    });
    route('GET', '/experiment/models', {
      operation: 'models.experimentFolders',
      summary: 'Folders for models, without places on a disk',
      description: 'The folders of `GET /models`, each with an empty list of paths: workers may be anywhere.',
      response: { 200: Type.Array(Type.Object({ name: Type.String(), folders: Names })) },
      handle: async () => folders().map((name) => ({ name, folders: [] })),
    });
    route('GET', '/models/:folder', {
      operation: 'models.list',
      failures: [404],
      summary: 'Models in a folder',
      description:
        'The files that at least one worker has, by name. A folder that `GET /models` does not name gets 404.',
      response: { 200: Names },
      handle: async ({ params: { folder } }) => [...filesIn(folder)],
    });
    route('GET', '/experiment/models/:folder', {
      operation: 'models.experimentList',
      failures: [404],
      summary: 'Models in a folder, as objects',
      description:
        'The files of `GET /models/{folder}`. `pathIndex` is always 0. A folder that `GET /models` does not name gets 404.',
      response: { 200: Type.Array(Type.Object({ name: Type.String(), pathIndex: Type.Integer() })) },
      handle: async ({ params: { folder } }) => filesIn(folder).map((name) => ({ name, pathIndex: 0 })),
    });
    route('GET', '/embeddings', {
      operation: 'embeddings.list',
      summary: 'Embeddings that workers have',
      description: 'The files of `GET /models/embeddings`, without their endings.',
      response: { 200: Names },
      handle: async () => filesIn('embeddings').map((name) => name.replace(/\.[^./]+$/, '')),
    });
    route('GET', '/internal/folder_paths', {
      operation: 'models.paths',
      summary: 'Where models are: nowhere on this machine',
      description: 'The folders of `GET /models`, each with an empty list of paths.',
      response: { 200: Type.Record(Type.String(), Names) },
      handle: async () => Object.fromEntries(folders().map((name) => [name, []])),
    });
  };
}
