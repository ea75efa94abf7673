import { type FileInput, toSource } from './files/file-input.ts';
import type { TransferOptions } from './files/progress.ts';
import { createRemoteFile, type RemoteFile } from './files/remote-file.ts';
import { sendForm } from './files/send-file.ts';
import { createList, type List } from './http/list.ts';
import { path } from './http/server-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type { Asset, AssetCreated, AssetFromHash, AssetPage, AssetUpdate, TagPage } from './wire.ts';

export interface AssetFilter extends CallOptions {
  readonly tagsAll?: readonly string[] | undefined;
  readonly tagsAny?: readonly string[] | undefined;
  readonly tagsNone?: readonly string[] | undefined;
  readonly nameContains?: string | undefined;
  readonly kind?: 'picture' | 'video' | 'audio' | 'other' | undefined;
  /** Values of `user_metadata`. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** `blake3:` and 64 hexadecimal digits, or the path by which a node loads it. */
  readonly hash?: string | undefined;
}

export interface AssetListOptions extends AssetFilter {
  readonly sort?: 'name' | 'created_at' | 'updated_at' | 'size' | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
  /** Entries on a page, 1 to 500. */
  readonly pageSize?: number | undefined;
  /** How many to skip before the first page. */
  readonly offset?: number | undefined;
}

export interface AssetUploadOptions extends TransferOptions {
  readonly name?: string | undefined;
  /** One of them is `input` or `output`. Default: `['input']`. */
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Your files as assets: with a name, tags and notes. */
export function createAssets(transport: Transport) {
  return {
    /** Your assets, newest first by default. */
    list({ sort, order, pageSize, offset, ...filter }: AssetListOptions = {}): List<Asset, AssetPage> {
      return createList<Asset, AssetPage, string>({
        load: async (after) =>
          await transport.get('AssetPage', '/api/assets', {
            signal: filter.signal,
            timeoutMs: filter.timeoutMs,
            query: { ...filterQuery(filter), sort, order, limit: pageSize, offset, after },
          }),
        items: ({ assets }) => assets,
        next: ({ next_cursor }) => next_cursor,
      });
    },

    /** One asset by its id. */
    get: async (id: string, options: CallOptions = {}) =>
      await transport.get('Asset', path`/api/assets/${id}`, options),

    /** Your asset with these bytes, by `blake3:` or `sha256:` and 64 hexadecimal digits. */
    findByHash: async (hash: string, options: CallOptions = {}) =>
      await transport.get('Asset', path`/api/assets/hash/${hash}`, options),

    /** The bytes of an asset. No request is made until they are read. */
    open(asset: string | Pick<Asset, 'id' | 'name' | 'size' | 'mime_type'>): RemoteFile {
      const known = typeof asset === 'string' ? { id: asset, name: asset } : asset;
      const { id, name, size, mime_type: type } = known as Asset;
      return createRemoteFile(transport, {
        name,
        size,
        type,
        open: async (init) => await transport.open(path`/api/assets/${id}/content`, init),
      });
    },

    /** Uploads a file as an asset. */
    async upload(
      input: FileInput,
      { name, tags = ['input'], metadata, ...options }: AssetUploadOptions = {},
    ): Promise<AssetCreated> {
      return await sendForm(transport, 'AssetCreated', await toSource(input, name), {
        ...options,
        path: '/api/assets',
        field: 'file',
        fields: {
          tags: JSON.stringify(tags),
          name,
          user_metadata: metadata && JSON.stringify(metadata),
        },
      });
    },

    /** Creates an asset from bytes that you already have; 404 if you do not. */
    fromHash: async (asset: AssetFromHash, options: CallOptions = {}) =>
      await transport.post('AssetCreated', '/api/assets/from-hash', {
        ...options,
        body: asset,
        isRepeatable: true,
      }),

    /** Changes the name, the notes or the preview. */
    update: async (id: string, changes: AssetUpdate, options: CallOptions = {}) =>
      await transport.put('Asset', path`/api/assets/${id}`, { ...options, body: changes }),

    /** Deletes an asset, and its bytes if nothing else uses them. */
    delete: async (id: string, options: CallOptions = {}) =>
      await transport.delete('nothing', path`/api/assets/${id}`, options),

    /** Deletes up to 500 assets. Returns the ids of those that existed. */
    deleteMany: async (ids: readonly string[], options: CallOptions = {}): Promise<string[]> =>
      (
        await transport.post('AssetIds', '/api/assets/delete', {
          ...options,
          body: { ids },
          isRepeatable: true,
        })
      ).ids,

    /** Changes the tags of up to 500 assets. Returns the ids of those that exist. */
    changeTags: async (
      ids: readonly string[],
      { add, remove }: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
      options: CallOptions = {},
    ): Promise<string[]> =>
      (
        await transport.post('AssetIds', '/api/assets/tags', {
          ...options,
          body: { ids, add, remove },
          isRepeatable: true,
        })
      ).ids,

    /** The address of its bytes, for a page of the server itself: shown inline, or saved with `attachment`. */
    contentUrl: (id: string, disposition: 'inline' | 'attachment' = 'inline'): string =>
      transport.addressOf(path`/api/assets/${id}/content`, { disposition }).href,

    /** The address of a small WebP of a picture, for a page of the server itself. It never changes. */
    previewUrl: (id: string, size: 256 | 512 | 1024 = 512): string =>
      transport.addressOf(path`/api/assets/${id}/preview`, { size }).href,

    /** Adds tags. Existing tags stay. */
    addTags: async (id: string, tags: readonly string[], options: CallOptions = {}) =>
      await transport.post('TagsAdded', path`/api/assets/${id}/tags`, {
        ...options,
        body: { tags },
        isRepeatable: true,
      }),

    /** Removes tags. */
    removeTags: async (id: string, tags: readonly string[], options: CallOptions = {}) =>
      await transport.delete('TagsRemoved', path`/api/assets/${id}/tags`, { ...options, body: { tags } }),

    /** Your tags, and how many assets have each. */
    tags({ prefix, order, ...options }: TagFilter = {}): List<TagPage['tags'][number], TagPage> {
      return createList<TagPage['tags'][number], TagPage, number>({
        load: async (from) =>
          await transport.get('TagPage', '/api/tags', {
            ...options,
            query: { prefix, order, limit: 1000, offset: from },
          }),
        items: ({ tags }) => tags,
        next: ({ tags, has_more }, from = 0) =>
          has_more && tags.length > 0 ? from + tags.length : undefined,
      });
    },

    /** The most common tags of the assets that match a filter. */
    async countTags(filter: AssetFilter & { readonly limit?: number } = {}): Promise<Record<string, number>> {
      const { signal, timeoutMs, limit } = filter;
      const query = { ...filterQuery(filter), limit };
      const answer = await transport.get('TagCounts', '/api/assets/tags/refine', {
        signal,
        timeoutMs,
        query,
      });
      return answer.tag_counts;
    },
  };
}

export interface TagFilter extends CallOptions {
  readonly prefix?: string | undefined;
  readonly order?: 'count_desc' | 'name_asc' | undefined;
}

function filterQuery({ tagsAll, tagsAny, tagsNone, nameContains, kind, metadata, hash }: AssetFilter) {
  return {
    kind,
    tags_all: tagsAll,
    tags_any: tagsAny,
    tags_none: tagsNone,
    name_contains: nameContains,
    metadata_filter: metadata && JSON.stringify(metadata),
    hash,
  };
}
