export interface StoredUploadRow {
  id: string;
  user_id: string;
  file_name: string;
  content_type: string | null;
  announced_hash: string | null;
  /** Set before the bytes are stored, so that a concurrent sweep keeps them. */
  content_hash: string | null;
  size: number | null;
  /** The `Content-Type` of downloads. */
  media_type: string | null;
  created_at: number;
  expires_at: number;
  uploaded_at: number | null;
}

export interface StorageTables {
  stored_uploads: StoredUploadRow;
}
