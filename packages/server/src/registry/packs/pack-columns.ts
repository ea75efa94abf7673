import type { AdminNodeInput, NodeInput } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';
import type { Insertable, Updateable } from 'kysely';

import type { PackRow } from '../../platform/db/schema/registry.ts';
import { packIdKey, repositoryKey } from './pack-id.ts';

const TEXT_FIELDS = ['description', 'author', 'banner_url', 'icon', 'category', 'license'] as const;
const LIST_FIELDS = ['tags', 'supported_os', 'supported_accelerators'] as const;

const STATUS = {
  NodeStatusActive: 'active',
  NodeStatusBanned: 'banned',
  NodeStatusDeleted: 'deleted',
} as const;

/** The columns that a publisher's input names. An empty name does not change the name. */
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

export function toAdminColumns(input: AdminNodeInput): Updateable<PackRow> {
  const { tags_admin: tags, status, status_detail: detail } = input;
  const preempted = input.preempted_node_names ?? input.preempted_comfy_node_names;
  return present({
    tags_admin: tags && JSON.stringify(tags),
    preempted_node_names: preempted && JSON.stringify(preempted),
    status: status && STATUS[status],
    status_detail: detail,
    search_ranking: input.search_ranking,
    github_stars: input.github_stars,
  });
}

/** Public clients send these under names of their own. */
export function toSupportColumns(
  input: Pick<NodeInput, `supported_${'' | 'comfyui_'}${'' | 'frontend_'}version`>,
) {
  const version = input.supported_version ?? input.supported_comfyui_version;
  const frontend = input.supported_frontend_version ?? input.supported_comfyui_frontend_version;
  return present({ supported_version: version, supported_frontend_version: frontend });
}

/** A deleted pack that is created again keeps its id, its counts and what administrators set. */
export function blankPack(id: string) {
  return {
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
    supported_os: '[]',
    supported_accelerators: '[]',
    supported_version: null,
    supported_frontend_version: null,
    translations: '{}',
    status: 'active',
    status_detail: null,
  } as const;
}

export function emptyPack(id: string, publisherId: string, now: number): Insertable<PackRow> {
  return {
    id,
    id_key: packIdKey(id),
    publisher_id: publisherId,
    ...blankPack(id),
    tags_admin: '[]',
    preempted_node_names: '[]',
    search_ranking: 1000,
    github_stars: 0,
    downloads: 0,
    star_sum: 0,
    star_count: 0,
    created_at: now,
    updated_at: now,
  };
}
