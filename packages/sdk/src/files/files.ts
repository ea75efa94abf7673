import { AtelierError } from '../errors.ts';
import { type CallOptions, type Query, type Transport } from '../http/transport.ts';
import type { Upload, UploadedFile, UploadedMask } from '../wire.ts';
import { type FileInput, type FileSource, toSource } from './file-input.ts';
import type { TransferOptions } from './progress.ts';
import { createRemoteFile, type RemoteFile } from './remote-file.ts';
import { sendForm, sendToLink } from './send-file.ts';

/** Identifies a file of an account, as in the outputs of jobs. */
export interface FileReference {
  readonly filename: string;
  readonly subfolder?: string | undefined;
  /** Default: `output`. */
  readonly type?: 'input' | 'output' | 'temp' | undefined;
}

export interface UploadOptions extends TransferOptions {
  /** The display name. Default: the name of the file. */
  readonly name?: string | undefined;
  readonly folder?: 'input' | 'output' | 'temp' | undefined;
}

/** A smaller version of a picture, or another format. */
export interface ViewOptions {
  /** Edge of the square that it fits in, 64 to 1024. The result is a JPEG. */
  readonly size?: number | undefined;
  /** `webp` or `jpeg`, optionally with a quality: `webp;80`. */
  readonly preview?: string | undefined;
  readonly channel?: 'rgb' | 'rgba' | 'a' | 'alpha' | undefined;
}

const MIN_PRECHECK_BYTES = 1_000_000;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

export type Files = ReturnType<typeof createFiles>;

export function createFiles(transport: Transport) {
  let limit: number | undefined;

  async function findKnown(
    source: FileSource,
    folder: string,
    { signal }: CallOptions,
  ): Promise<(UploadedFile & { isNew: boolean }) | undefined> {
    const hash = folder === 'temp' ? undefined : await source.sha256();
    if (hash === undefined) return undefined;
    try {
      const asset = await transport.post('AssetCreated', '/api/assets/from-hash', {
        body: { hash: `sha256:${hash}`, tags: [folder] },
        isRepeatable: true,
        signal,
      });
      return {
        name: asset.loader_path ?? asset.name,
        subfolder: '',
        type: folder,
        asset: {
          id: asset.id,
          name: asset.name,
          asset_hash: asset.hash ?? '',
          size: asset.size ?? source.size,
          mime_type: asset.mime_type ?? '',
          tags: asset.tags,
        },
        isNew: false,
      };
    } catch (error) {
      if (error instanceof AtelierError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Avoids uploading a large file for nothing. For a small one the server answers just as quickly. */
  async function assertFits({ name, size }: FileSource, { signal }: CallOptions): Promise<void> {
    if (size === 0) throw new AtelierError('client.file', `${name} is empty.`);
    if (size < MIN_PRECHECK_BYTES) return;
    limit ??= (await transport.get('Features', '/api/features', { signal })).max_upload_size;
    if (size <= limit) return;
    throw new AtelierError(
      'client.file',
      `${name} has ${megabytes(size)}, and this server takes at most ${megabytes(limit)}.`,
    );
  }

  return {
    /** Uploads a file, unless the server already has its bytes. Nodes that load files take the returned `name`. */
    async upload(
      input: FileInput,
      { name, folder = 'input', ...options }: UploadOptions = {},
    ): Promise<UploadedFile & { isNew: boolean }> {
      const source = await toSource(input, name);
      await assertFits(source, options);
      const known = await findKnown(source, folder, options);
      if (known) {
        options.onProgress?.({ loaded: source.size, total: source.size });
        return known;
      }
      const uploaded = await sendForm(transport, 'UploadedFile', source, {
        ...options,
        path: '/api/upload/image',
        field: 'image',
        fields: { type: folder },
      });
      return { ...uploaded, isNew: true };
    },

    /** Uploads a mask: a PNG with the colors of the other picture and the alpha of this one. */
    async uploadMask(
      input: FileInput,
      { of, ...options }: TransferOptions & { readonly of: FileReference },
    ): Promise<UploadedMask> {
      return await sendForm(transport, 'UploadedMask', await toSource(input), {
        ...options,
        path: '/api/upload/mask',
        field: 'image',
        fields: { original_ref: JSON.stringify(of) },
      });
    },

    /** A file by its name. No request is made until its bytes are read. */
    open(reference: FileReference, { size, preview, channel }: ViewOptions = {}): RemoteFile {
      const query = toQuery(reference, { size, preview, channel });
      return createRemoteFile(transport, {
        name: reference.filename,
        open: async (init) => await transport.open('/api/view', init, query),
      });
    },

    /** The address of a file, or of a smaller version, for `<img>`. It works with the session cookie, not with a key. */
    url(reference: FileReference, { size, preview, channel }: ViewOptions = {}): string {
      return transport.addressOf('/view', toQuery(reference, { size, preview, channel })).href;
    },

    /** A link to a file, valid for a day, that works without a key, for example for generation. Bytes that the server has are not sent again. */
    async share(
      input: FileInput,
      { name, contentType, ...options }: TransferOptions & ShareOptions = {},
    ): Promise<Upload> {
      const source = await toSource(input, name);
      const upload = await transport.post('Upload', '/customers/storage', {
        body: {
          file_name: source.name.slice(-255),
          content_type: contentType,
          file_hash: await source.sha256(),
        },
        signal: options.signal,
        isRepeatable: true,
      });
      if (!upload.existing_file) {
        await sendToLink(transport, source, {
          ...options,
          link: upload.upload_url,
          contentType: contentType ?? 'application/octet-stream',
          isDone: ({ code }) => code === 'storage.already_uploaded',
        });
      }
      return upload;
    },
  };
}

function toQuery(
  { filename, subfolder = '', type = 'output' }: FileReference,
  { size, preview, channel }: ViewOptions,
): Query {
  return { filename, subfolder, type, res: size, preview, channel };
}

export interface ShareOptions {
  readonly name?: string | undefined;
  /** The media type. By default the server detects it. */
  readonly contentType?: string | undefined;
}
