import { isObject } from '@atelier/contracts/is-object';
import { FILE_PATH_EXPECTS } from '@atelier/engine';
import type { AssetRow } from '../../../platform/db/schema/cloud.ts';
import { invalid, notFound } from '../../../platform/errors/app-error.ts';
import type { FairSemaphore } from '../../../platform/fair-semaphore.ts';
import { cleanFileName } from '../../../platform/files/clean-file-name.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { parseJsonOrUndefined } from '../../../platform/parse-json.ts';
import { assertWithinLimits, pictureSize } from '../../../platform/pictures/picture-limits.ts';
import type { ServiceParts } from '../../../platform/service-parts.ts';
import { listTags } from '../assets.repo.ts';
import { extensionFor } from '../content-names.ts';
import type { AddedFile, FilesOfUsers, NewFile } from '../create-user-files.ts';
import { isFolderName, toPlace } from '../file-place.ts';
import { type FileName, findNamedFile } from '../find-files.ts';
import { applyMask } from './apply-mask.ts';
import type { UploadForm } from './upload-form.ts';

interface Parts extends ServiceParts {
  readonly store: FileStore;
  readonly files: FilesOfUsers;
  /** Held while a picture is decoded. */
  readonly rendering: FairSemaphore;
}

/** How a file gets its name: `content` is its hash, without a subfolder, as in the public cloud; `own` is as ComfyUI does it. */
type Naming = 'content' | 'own';

export type UploadsService = ReturnType<typeof createUploadsService>;

export function createUploadsService({ db, clock, store, files, rendering }: Parts) {
  async function toAnswer({ asset }: AddedFile) {
    return {
      name: asset.file_name,
      subfolder: asset.subfolder,
      type: asset.folder,
      asset: {
        id: asset.id,
        name: asset.name,
        asset_hash: `blake3:${asset.blake3}`,
        size: asset.size,
        mime_type: asset.media_type,
        tags: await listTags(db, asset.id),
      },
    };
  }

  async function takeMask(userId: string, path: string, form: UploadForm, naming: Naming) {
    const place = placeOf(form, { naming, extension: 'png' });
    const reference = readReference(form.fields.get('original_ref')?.[0]);
    const original = await findNamedFile({ db, clock }, userId, reference);
    await using source = await files.stage();
    await using colors = await files.stage();
    await using alpha = await files.stage();
    await using joined = await files.stage();
    await using result = await files.stage();
    if (!(await store.copyTo(original.content_hash, source.path))) throw notFound('file', original.name);
    const release = await rendering.acquire(userId);
    try {
      await applyMask({
        original: source.path,
        mask: path,
        result: result.path,
        drafts: [colors.path, alpha.path, joined.path],
      });
    } finally {
      release();
    }
    const layer = layerOf(form.fileName);
    const metadata = { is_mask: true, original_hash: `blake3:${original.blake3}`, mask_type: layer };
    const added = await files.adopt(result.path, {
      userId,
      ...place,
      name: cleanFileName(form.fileName),
      metadata: JSON.stringify(metadata),
    });
    return {
      ...(await toAnswer(added)),
      metadata: { ...metadata, related_files: { [layer]: added.asset.file_name } },
    };
  }

  return {
    takeMask,

    async takeFile(userId: string, path: string, form: UploadForm, naming: Naming) {
      const extension = await extensionFor(path, form.fileName);
      const place = placeOf(form, { naming, extension });
      return await toAnswer(await adoptBytes(userId, path, { ...place, name: form.fileName }));
    },

    /** Adds a picture that was sent without a name. */
    async takePicture(userId: string, path: string) {
      const fileName = byContent(await extensionFor(path, ''));
      const { asset } = await adoptBytes(userId, path, { folder: 'input', fileName, name: 'upload' });
      return { name: asset.file_name, subfolder: asset.subfolder, type: asset.folder };
    },
  };

  async function adoptBytes(
    userId: string,
    path: string,
    { name, ...place }: UploadPlace & { readonly name: string },
  ): Promise<AddedFile> {
    const size = await pictureSize(path);
    if (size) assertWithinLimits(size);
    return await files.adopt(path, { userId, ...place, name: cleanFileName(name) });
  }
}

type UploadPlace = Pick<NewFile, 'folder' | 'subfolder' | 'fileName' | 'isNumbered'>;

function byContent(extension: string): NewFile['fileName'] {
  return ({ hash }) => `${hash}.${extension}`;
}

function placeOf(
  form: UploadForm,
  { naming, extension }: { readonly naming: Naming; readonly extension: string },
): UploadPlace {
  const folder = folderOf(form);
  if (naming === 'content') return { folder, fileName: byContent(extension) };
  const [subfolder = ''] = form.fields.get('subfolder') ?? [];
  const place = toPlace(form.fileName, { folder, subfolder });
  if (!place) throw invalid(`The file name and subfolder must be ${FILE_PATH_EXPECTS}.`);
  const [overwrite] = form.fields.get('overwrite') ?? [];
  return { ...place, isNumbered: overwrite !== 'true' && overwrite !== '1' };
}

function folderOf({ fields }: UploadForm): AssetRow['folder'] {
  const type = fields.get('type')?.[0] || 'input';
  if (!isFolderName(type)) throw invalid('type is input, temp or output.');
  return type;
}

function readReference(value: string | undefined): FileName {
  if (value === undefined) throw invalid('original_ref is missing: the JSON of the picture under the mask.');
  const reference = parseJsonOrUndefined(value);
  if (!isObject(reference)) {
    throw invalid('original_ref is not a JSON object with filename, subfolder and type.');
  }
  const { filename, subfolder = '', type = 'output' } = reference;
  if (typeof filename !== 'string' || typeof subfolder !== 'string' || typeof type !== 'string') {
    throw invalid('filename, subfolder and type of original_ref are texts.');
  }
  return { filename, subfolder, type };
}

/** Editors upload the layers of a picture one after the other and distinguish them by their names. */
function layerOf(fileName: string): string {
  return /(painted-masked|painted|paint|mask)/.exec(fileName)?.[1]?.replace('-', '_') ?? 'mask';
}
