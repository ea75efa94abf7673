export interface StoredUploadRow {
  id: string;
  user_id: string;
  file_name: string;
  content_type: string | null;
  announced_hash: string | null;
  /** Set before the bytes are kept: until `uploaded_at` it only claims them, so that no sweep takes them away. */
  content_hash: string | null;
  size: number | null;
  /** What the bytes are served as. */
  media_type: string | null;
  created_at: number;
  expires_at: number;
  uploaded_at: number | null;
}

export interface StorageTables {
  stored_uploads: StoredUploadRow;
}
