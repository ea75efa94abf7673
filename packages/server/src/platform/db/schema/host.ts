/** What a user has set in the editor: one JSON object. */
export interface UserSettingsRow {
  user_id: string;
  settings: string;
  updated_at: number;
}

/** A file that the editor keeps for a user, such as a saved workflow. */
export interface UserDataRow {
  user_id: string;
  /** Names with slashes between them; neither begins nor ends with one. */
  path: string;
  size: number;
  created_at: number;
  modified_at: number;
  content: Uint8Array;
}

/** What its owner says of a saved workflow. */
export interface WorkflowDescriptionRow {
  user_id: string;
  path: string;
  description: string;
}

/** A former content of a saved workflow. */
export interface WorkflowVersionRow {
  user_id: string;
  path: string;
  /** Counts the contents of the file from 1. */
  version: number;
  size: number;
  saved_at: number;
  content: Uint8Array;
}

/** Lets everybody who is signed in and has the id read a saved workflow. */
export interface WorkflowShareRow {
  id: string;
  user_id: string;
  path: string;
  created_at: number;
}

export interface HostTables {
  user_settings: UserSettingsRow;
  user_data: UserDataRow;
  workflow_descriptions: WorkflowDescriptionRow;
  workflow_versions: WorkflowVersionRow;
  workflow_shares: WorkflowShareRow;
}
