import {
  type Member,
  type Node,
  type NodeVersion,
  PUBLISHER_FIELDS,
  type Publisher,
  type VersionStatus,
} from '@atelier/contracts';
import { present } from '@atelier/contracts/present';
import type { Selectable } from 'kysely';

import { toIso } from '../platform/clock.ts';
import type { PackRow, PackVersionRow, PublisherRow } from '../platform/db/schema/registry.ts';
import { withoutNull } from '../platform/http/without-nulls.ts';

export const VERSION_STATUS_WORD: Readonly<Record<PackVersionRow['status'], VersionStatus>> = {
  pending: 'NodeVersionStatusPending',
  active: 'NodeVersionStatusActive',
  flagged: 'NodeVersionStatusFlagged',
  banned: 'NodeVersionStatusBanned',
  deleted: 'NodeVersionStatusDeleted',
};

export const PACK_STATUS_WORD = {
  active: 'NodeStatusActive',
  banned: 'NodeStatusBanned',
  deleted: 'NodeStatusDeleted',
} as const satisfies Record<PackRow['status'], string>;

/** A pack with its publisher and its newest active version. */
export interface PackRecord {
  readonly pack: Selectable<PackRow>;
  readonly publisher: PublisherRow;
  readonly latest: PackVersionRow | undefined;
}

export interface LinkMaker {
  /** The public download link of an archive. */
  downloadUrl(version: PackVersionRow): string;
}

export function toPublisher(
  row: PublisherRow,
  { members, withReason = false }: { members?: readonly Member[]; withReason?: boolean } = {},
): Publisher {
  return {
    id: row.id,
    ...present(Object.fromEntries(PUBLISHER_FIELDS.map((field) => [field, row[field]]))),
    createdAt: toIso(row.created_at),
    status: row.status === 'active' ? 'PublisherStatusActive' : 'PublisherStatusBanned',
    ...(withReason && present({ status_detail: row.ban_reason })),
    ...(members && { members: [...members] }),
  };
}

interface VersionView {
  readonly withReason: boolean;
  /** Includes what only members of the publisher and administrators see, such as the reason. */
  readonly forMembers?: boolean;
}

export function toNodeVersion(
  row: PackVersionRow,
  links: LinkMaker,
  { withReason, forMembers = false }: VersionView,
): NodeVersion {
  const reason = withReason || forMembers ? present({ status_reason: row.status_reason }) : {};
  const canBeDownloaded = row.status === 'active' || row.status === 'flagged';
  return {
    id: row.id,
    node_id: row.pack_id,
    version: row.version,
    ...present({ changelog: row.changelog }),
    node_extract_status: row.extract_status,
    comfy_node_extract_status: row.extract_status,
    createdAt: toIso(row.created_at),
    dependencies: texts(row.dependencies),
    deprecated: row.deprecated === 1,
    ...present({
      downloadUrl: row.file_hash !== null && canBeDownloaded ? links.downloadUrl(row) : null,
      checksum: row.file_hash === null ? null : `sha256:${row.file_hash}`,
    }),
    status: VERSION_STATUS_WORD[row.status],
    ...reason,
    ...(forMembers && { ...present({ check_report: row.report }), ...reviewOf(row) }),
    ...supportOf(row),
    ...filled({ tags: texts(row.tags), tags_admin: texts(row.tags_admin) }),
  };
}

function reviewOf({ review_requested_at: at, review_note: note }: PackVersionRow) {
  return at === null ? {} : { review_request: { requested_at: toIso(at), ...present({ note }) } };
}

export function toNode(
  { pack, publisher, latest }: PackRecord,
  links: LinkMaker,
  { withTranslations = false }: { withTranslations?: boolean } = {},
): Node {
  const preempted = texts(pack.preempted_node_names);
  return {
    id: pack.id,
    name: pack.name,
    // Public clients read these two and the publisher's name without checking that they exist.
    description: pack.description ?? '',
    ...present({
      author: pack.author,
      banner_url: pack.banner_url,
      icon: pack.icon,
      category: pack.category,
      license: pack.license,
      repository: pack.repository,
      status_detail: pack.status_detail,
    }),
    created_at: toIso(pack.created_at),
    downloads: pack.downloads,
    github_stars: pack.github_stars,
    ...(latest && { latest_version: toNodeVersion(latest, links, { withReason: false }) }),
    ...filled({
      preempted_node_names: preempted,
      preempted_comfy_node_names: preempted,
      tags: texts(pack.tags),
      tags_admin: texts(pack.tags_admin),
    }),
    publisher: { ...toPublisher(publisher), name: publisher.name ?? publisher.id },
    rating: pack.star_count === 0 ? 0 : pack.star_sum / pack.star_count,
    search_ranking: pack.search_ranking,
    status: publisher.status === 'banned' ? 'NodeStatusBanned' : PACK_STATUS_WORD[pack.status],
    ...supportOf(pack),
    ...(withTranslations && {
      translations: withoutNull(JSON.parse(pack.translations)) as Node['translations'] & {},
    }),
  };
}

/** Under the specification's names and, beside them, under those that public clients read. */
function supportOf(row: Omit<PackRow, 'seq'> | PackVersionRow) {
  return {
    ...filled({
      supported_os: texts(row.supported_os),
      supported_accelerators: texts(row.supported_accelerators),
    }),
    ...present({
      supported_version: row.supported_version,
      supported_comfyui_version: row.supported_version,
      supported_frontend_version: row.supported_frontend_version,
      supported_comfyui_frontend_version: row.supported_frontend_version,
    }),
  };
}

function filled<T extends Record<string, string[]>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, values]) => values.length > 0)) as Partial<T>;
}

export function texts(json: string): string[] {
  return json === '[]' ? [] : (JSON.parse(json) as string[]);
}
