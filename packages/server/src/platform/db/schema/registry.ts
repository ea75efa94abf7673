import type { Generated } from 'kysely';

export interface PublisherRow {
  id: string;
  name: string | null;
  description: string | null;
  logo: string | null;
  website: string | null;
  support: string | null;
  source_code_repo: string | null;
  status: 'active' | 'banned' | 'deleted';
  ban_reason: string | null;
  /** 1 after it has had a pack: then its id is never free again. */
  had_packs: number;
  /** The user who created it, if known. */
  created_by: string | null;
  created_at: number;
  updated_at: number;
}

export interface PublisherMemberRow {
  id: string;
  publisher_id: string;
  user_id: string;
  role: 'owner' | 'member';
  created_at: number;
}

export interface PublisherTokenRow {
  id: string;
  publisher_id: string;
  name: string;
  description: string | null;
  token_prefix: string;
  token_hash: string;
  created_at: number;
}

/** Lists and maps are JSON text. */
export interface PackRow {
  seq: Generated<number>;
  id: string;
  /** Ids are unique without regard to case. */
  id_key: string;
  publisher_id: string;
  name: string;
  description: string | null;
  author: string | null;
  banner_url: string | null;
  icon: string | null;
  category: string | null;
  license: string | null;
  repository: string | null;
  /** Without scheme, `.git` and case, to compare repositories. */
  repository_key: string | null;
  tags: string;
  tags_admin: string;
  supported_os: string;
  supported_accelerators: string;
  supported_version: string | null;
  supported_frontend_version: string | null;
  preempted_node_names: string;
  translations: string;
  status: 'active' | 'banned' | 'deleted';
  status_detail: string | null;
  search_ranking: number;
  github_stars: number;
  downloads: number;
  star_sum: number;
  star_count: number;
  /** The newest active version, so that reading a pack takes one join. */
  latest_version_id: string | null;
  created_at: number;
  updated_at: number;
}

export interface PackVersionRow {
  id: string;
  pack_id: string;
  version: string;
  /** Text that sorts as semantic versions do. */
  version_key: string;
  changelog: string | null;
  dependencies: string;
  deprecated: number;
  status: 'pending' | 'active' | 'flagged' | 'banned' | 'deleted';
  status_reason: string | null;
  extract_status: 'pending' | 'success' | 'failed';
  tags: string;
  tags_admin: string;
  supported_os: string;
  supported_accelerators: string;
  supported_version: string | null;
  supported_frontend_version: string | null;
  /** `null` until the archive is uploaded. */
  file_hash: string | null;
  file_size: number | null;
  /** When the owner requested a review, and the owner's note. */
  review_requested_at: number | null;
  review_note: string | null;
  /** The findings of the checks as JSON, kept even if administrators decide otherwise. */
  report: string | null;
  /** When the checks deleted it; `null` if its publisher did. */
  refused_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface InnerNodeRow {
  version_id: string;
  name: string;
  name_key: string;
  category: string | null;
  description: string | null;
  function: string | null;
  deprecated: number;
  experimental: number;
  input_types: string | null;
  return_types: string | null;
  return_names: string | null;
  output_is_list: string | null;
}

export interface PackReadmeRow {
  version_id: string;
  readme: string;
}

export interface PackReviewRow {
  pack_id: string;
  user_id: string;
  star: number;
  version: string | null;
  created_at: number;
}

/** One row that counts the changes of the catalogue, so that stale copies are noticed. */
export interface CatalogueRow {
  id: number;
  revision: number;
}

export interface RegistryTables {
  publishers: PublisherRow;
  publisher_members: PublisherMemberRow;
  publisher_tokens: PublisherTokenRow;
  packs: PackRow;
  pack_versions: PackVersionRow;
  inner_nodes: InnerNodeRow;
  pack_readmes: PackReadmeRow;
  pack_reviews: PackReviewRow;
  catalogue: CatalogueRow;
}
