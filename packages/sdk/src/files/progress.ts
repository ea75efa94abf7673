/** How far a transfer is, in bytes. */
export interface TransferProgress {
  readonly loaded: number;
  /** Missing when the server does not tell it. */
  readonly total: number | undefined;
}

export interface TransferOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TransferProgress) => void) | undefined;
}
