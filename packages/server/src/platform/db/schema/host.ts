/** A user's settings of the editor: one JSON object. */
export interface UserSettingsRow {
  user_id: string;
  settings: string;
  updated_at: number;
}

/** A file that the editor keeps for a user, such as a saved workflow. */
export interface UserDataRow {
  user_id: string;
  /** Names separated by slashes, without a leading or trailing slash. */
  path: string;
  size: number;
  created_at: number;
  modified_at: number;
  content: Uint8Array;
}

/** The owner's description of a saved workflow. */
export interface WorkflowDescriptionRow {
  user_id: string;
  path: string;
  description: string;
}

/** An earlier content of a saved workflow. */
export interface WorkflowVersionRow {
  user_id: string;
  path: string;
  /** Counts up from 1. */
  version: number;
  size: number;
  saved_at: number;
  content: Uint8Array;
}

/** Any signed-in user with the id may read the saved workflow. */
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
