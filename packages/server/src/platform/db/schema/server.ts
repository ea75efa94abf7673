/** Values that the server makes once and every later start needs again. */
export interface ServerSecretRow {
  name: string;
  value: Uint8Array;
  created_at: number;
}

export interface ServerTables {
  readonly migrations: { readonly name: string };
  readonly migration_checksums: { readonly name: string; readonly checksum: string };
  server_secrets: ServerSecretRow;
}
