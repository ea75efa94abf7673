import { optional, UploadedFile, UploadedMask } from '@atelier/contracts';
import multipart from '@fastify/multipart';
import { Type } from 'typebox';

import { createRouteDefiner } from '../../../platform/http/define-route.ts';
import type { App, Routes } from '../../../platform/http/route-config.ts';
import { CLOUD_DEFAULTS } from '../../../platform/http/route-defaults.ts';
import type { FilesOfUsers } from '../create-user-files.ts';
import { acceptForms, type FormLimits, readUploadForm, toMegabytes } from './upload-form.ts';
import type { UploadsService } from './uploads.service.ts';

interface Parts {
  readonly uploads: UploadsService;
  readonly files: Pick<FilesOfUsers, 'stage'>;
  readonly limits: FormLimits;
}

const type = Type.String({ description: '`input` (default), `temp` or `output`.', default: 'input' });
const Ignored = Type.String({ description: 'Accepted and ignored.' });
const OTHER_FIELDS = {
  content: optional({ type, overwrite: Ignored, subfolder: Ignored }),
  own: optional({
    type,
    overwrite: Type.String({
      description: '`true` or `1`: replaces a file of that name. Otherwise the new one is numbered.',
    }),
    subfolder: Type.String({ description: 'A folder below the one that `type` names.' }),
  }),
};
/** Descriptions of the two ways of naming. */
const NAMES = {
  content:
    'The file is named by the SHA-256 of its bytes, so the same bytes are kept once. Nodes load it by the `name` in the answer.',
  own: 'The file keeps its name; one that other bytes have taken gets a number unless `overwrite` is set. Nodes load it as `subfolder/name`.',
};
const original_ref = Type.String({
  description: 'JSON with `filename`, `subfolder` and `type` of the picture under the mask.',
});

/** Forms with files: under `/api` files are named by their content, as in the public cloud; otherwise as ComfyUI names them. */
export const uploadsRoutes: Routes<Parts> = (parts) => async (app) => {
  // In its own scope: the parsers of other routes do not change.
  await app.register(async (inner) => {
    await inner.register(multipart);
    addForms(inner, parts);
  });
};

function addForms(app: App, { uploads, files, limits }: Parts): void {
  const image = Type.Unsafe<unknown>({
    type: 'string',
    format: 'binary',
    description: `Any type, at most ${toMegabytes(limits.maxFileBytes)}.`,
  });
  const common = {
    consumes: ['multipart/form-data'],
    bodyLimit: limits.maxBodyBytes,
    // The schema only describes the form, which is parsed as it arrives.
    validatorCompiler: () => () => true,
    onRequest: acceptForms(
      limits.maxBodyBytes,
      'Send the file as multipart/form-data, in a field that is called image.',
    ),
  };
  for (const [mount, naming] of [
    [{ prefix: '', area: 'host' }, 'own'],
    [{ prefix: '/api', area: 'cloud' }, 'content'],
  ] as const) {
    const failures = naming === 'own' ? [409] : [];
    const route = createRouteDefiner(app, { ...CLOUD_DEFAULTS, tag: 'workflows', mounts: [mount] });
    route('POST', '/upload/image', {
      ...common,
      operation: 'uploads.image',
      needsSpace: true,
      failures,
      summary: 'Upload a picture or any other file for workflows',
      description: `${NAMES[naming]} An upload beyond your storage gets 403.`,
      body: Type.Object({ image, ...OTHER_FIELDS[naming] }),
      response: { 200: UploadedFile },
      handle: async ({ actor, request }) => {
        await using staged = await files.stage();
        const form = await readUploadForm(request, staged.path, limits);
        return await uploads.takeFile(actor.userId, staged.path, form, naming);
      },
    });
    route('POST', '/upload/mask', {
      ...common,
      operation: 'uploads.mask',
      needsSpace: true,
      failures: [404, ...failures],
      summary: 'Upload a mask, whose alpha replaces that of another picture of yours',
      description: `The result is a PNG; mask and picture must have the same size. ${NAMES[naming]}`,
      body: Type.Object({ image, ...OTHER_FIELDS[naming], original_ref }),
      response: { 200: UploadedMask },
      handle: async ({ actor, request }) => {
        await using staged = await files.stage();
        const form = await readUploadForm(request, staged.path, limits);
        return await uploads.takeMask(actor.userId, staged.path, form, naming);
      },
    });
  }
}
