/** Values that the server makes once and every later start needs again. */
export interface ServerSecretRow {
  name: string;
  value: Uint8Array;
  created_at: number;
}

export interface ServerTables {
  server_secrets: ServerSecretRow;
}
