/** How far a transfer is, in bytes. */
export interface TransferProgress {
  readonly loaded: number;
  /** Absent if the server does not say. */
  readonly total: number | undefined;
}

export interface TransferOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TransferProgress) => void) | undefined;
}

export interface SaveOptions extends TransferOptions {
  /** With `false` an existing file is kept, and the new one is named `name (2).png`. Default: true. */
  readonly overwrite?: boolean | undefined;
}
