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

export interface SaveOptions extends TransferOptions {
  /** With `false` a file that is there already is kept, and the new one is called `name (2).png`. Default: true. */
  readonly overwrite?: boolean | undefined;
}
