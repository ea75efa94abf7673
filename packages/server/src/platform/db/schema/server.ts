import type { Generated } from 'kysely';

/** Values that are created once for the installation. */
export interface ServerSecretRow {
  name: string;
  value: Uint8Array;
  created_at: number;
}

/** Who did what, see `platform/audit`. */
export interface AuditEntryRow {
  seq: Generated<number>;
  at: number;
  actor: string;
  action: string;
  subject: string;
  details: string;
}

export interface ServerTables {
  readonly migrations: { readonly name: string };
  readonly migration_checksums: { readonly name: string; readonly checksum: string };
  server_secrets: ServerSecretRow;
  audit_entries: AuditEntryRow;
}
