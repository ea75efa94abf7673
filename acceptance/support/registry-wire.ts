/** What the registry sends, as far as the tests look at it. */
export interface Member {
  readonly id: string;
  readonly role: string;
  readonly user: { readonly id?: string; readonly name: string; readonly email?: string };
}

export interface Publisher {
  readonly id: string;
  readonly name?: string;
  readonly createdAt: string;
  readonly status: string;
  readonly status_detail?: string;
  readonly members?: readonly Member[];
}

export interface NodeVersion {
  readonly id: string;
  readonly node_id: string;
  readonly version: string;
  readonly changelog?: string;
  readonly node_extract_status: string;
  readonly comfy_node_extract_status: string;
  readonly createdAt: string;
  readonly dependencies: readonly string[];
  readonly deprecated: boolean;
  readonly downloadUrl?: string;
  readonly checksum?: string;
  readonly status: string;
  readonly status_reason?: string;
  readonly check_report?: string;
  readonly review_request?: { readonly requested_at: string; readonly note?: string };
}

export interface PackNode {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly created_at: string;
  readonly downloads: number;
  readonly github_stars: number;
  readonly rating: number;
  readonly search_ranking: number;
  readonly status: string;
  readonly status_detail?: string;
  readonly latest_version?: NodeVersion;
  readonly publisher: Publisher;
  readonly tags?: readonly string[];
  readonly tags_admin?: readonly string[];
  readonly preempted_node_names?: readonly string[];
  readonly translations?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface NodePage {
  readonly total: number;
  readonly nodes: readonly PackNode[];
  readonly page: number;
  readonly limit: number;
  readonly totalPages: number;
}

export interface VersionPage {
  readonly total: number;
  readonly versions: readonly NodeVersion[];
  readonly page: number;
  readonly pageSize: number;
  readonly totalPages: number;
}

export interface Published {
  readonly node_version: NodeVersion;
  readonly signedUrl: string;
}

interface Finding {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
}

/** The reason of a flagged version, as JSON text. */
export interface Report {
  readonly total: number;
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

export interface AuditEntry {
  readonly id: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export const STATUS = {
  pending: 'NodeVersionStatusPending',
  active: 'NodeVersionStatusActive',
  flagged: 'NodeVersionStatusFlagged',
  banned: 'NodeVersionStatusBanned',
  deleted: 'NodeVersionStatusDeleted',
} as const;
