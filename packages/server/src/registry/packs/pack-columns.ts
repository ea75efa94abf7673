import type { AdminNodeInput, NodeInput } from '@atelier/contracts';
import type { Insertable, Selectable, Updateable } from 'kysely';

import type { PackRow } from '../../platform/db/schema/registry.ts';
import { packIdKey, repositoryKey } from './pack-id.ts';

const TEXT_FIELDS = ['description', 'author', 'banner_url', 'icon', 'category', 'license'] as const;
const LIST_FIELDS = ['tags', 'supported_os', 'supported_accelerators'] as const;

const STATUS = {
  NodeStatusActive: 'active',
  NodeStatusBanned: 'banned',
  NodeStatusDeleted: 'deleted',
} as const;

/** The columns that a publisher's input names; what it leaves out stays as it is, and so does the name if it is empty. */
export function toPackColumns(input: NodeInput): Updateable<PackRow> {
  const columns: Updateable<PackRow> = toSupportColumns(input);
  if (input.name) columns.name = input.name;
  for (const field of TEXT_FIELDS) {
    const value = input[field];
    if (value !== undefined) columns[field] = value;
  }
  for (const field of LIST_FIELDS) {
    const value = input[field];
    if (value !== undefined) columns[field] = JSON.stringify(value);
  }
  if (input.repository !== undefined) {
    columns.repository = input.repository;
    columns.repository_key = repositoryKey(input.repository);
  }
  return columns;
}

/** The columns that are for administrators alone. */
export function toAdminColumns(input: AdminNodeInput): Updateable<PackRow> {
  const { tags_admin: tags, status, status_detail: detail } = input;
  const preempted = input.preempted_node_names ?? input.preempted_comfy_node_names;
  const columns: Updateable<PackRow> = {};
  if (tags !== undefined) columns.tags_admin = JSON.stringify(tags);
  if (preempted !== undefined) columns.preempted_node_names = JSON.stringify(preempted);
  if (status !== undefined) columns.status = STATUS[status];
  if (detail !== undefined) columns.status_detail = detail;
  for (const field of ['search_ranking', 'github_stars'] as const) {
    const value = input[field];
    if (value !== undefined) columns[field] = value;
  }
  return columns;
}

/** Public clients send these under names of their own. */
export function toSupportColumns(
  input: Pick<
    NodeInput,
    | 'supported_version'
    | 'supported_comfyui_version'
    | 'supported_frontend_version'
    | 'supported_comfyui_frontend_version'
  >,
) {
  const version = input.supported_version ?? input.supported_comfyui_version;
  const frontend = input.supported_frontend_version ?? input.supported_comfyui_frontend_version;
  return {
    ...(version === undefined ? {} : { supported_version: version }),
    ...(frontend === undefined ? {} : { supported_frontend_version: frontend }),
  };
}

/**
 * A deleted pack that is there again says nothing of itself yet. Its id, when it was first made, its counts and what
 * administrators set stay.
 */
export function revivedPack({ id }: Selectable<PackRow>): Updateable<PackRow> {
  const columns: Updateable<PackRow> = {
    name: id,
    status: 'active',
    status_detail: null,
    translations: '{}',
    repository: null,
    repository_key: null,
    supported_version: null,
    supported_frontend_version: null,
  };
  for (const field of TEXT_FIELDS) columns[field] = null;
  for (const field of LIST_FIELDS) columns[field] = '[]';
  return columns;
}

/** A pack about which nothing is known yet but its id and owner. */
export function emptyPack(id: string, publisherId: string, now: number): Insertable<PackRow> {
  return {
    id,
    id_key: packIdKey(id),
    publisher_id: publisherId,
    name: id,
    description: null,
    author: null,
    banner_url: null,
    icon: null,
    category: null,
    license: null,
    repository: null,
    repository_key: null,
    tags: '[]',
    tags_admin: '[]',
    supported_os: '[]',
    supported_accelerators: '[]',
    supported_version: null,
    supported_frontend_version: null,
    preempted_node_names: '[]',
    translations: '{}',
    status: 'active',
    status_detail: null,
    search_ranking: 1000,
    github_stars: 0,
    downloads: 0,
    star_sum: 0,
    star_count: 0,
    latest_version_id: null,
    created_at: now,
    updated_at: now,
  };
}
