import type { JobFiles } from '../files.ts';
import type { Graph } from '../graph.ts';
import type { Memory } from '../memory.ts';

/** What hidden inputs a node may ask for, under the names of the wire. */
export type HiddenInput =
  | 'PROMPT'
  | 'DYNPROMPT'
  | 'EXTRA_PNGINFO'
  | 'UNIQUE_ID'
  | 'AUTH_TOKEN_COMFY_ORG'
  | 'API_KEY_COMFY_ORG'
  | 'COMFY_USAGE_SOURCE';

/** Only what the node declared is there. */
export interface HiddenValues {
  /** The graph as it was submitted. */
  readonly prompt?: Graph;
  /** The same as the host application writes it into files, to the byte. */
  readonly promptText?: string;
  /** The graph as it is now, with what nodes expanded into. */
  readonly dynamicPrompt?: Graph;
  readonly extraPngInfo?: Readonly<Record<string, unknown>>;
  readonly uniqueId?: string;
  readonly authToken?: string;
  readonly apiKey?: string;
  readonly usageSource?: string;
}

export interface PreviewFrame {
  readonly type: 'image/jpeg' | 'image/png';
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** It is what the node is for: the client that submitted the job gets every one. */
  readonly isOutput?: boolean;
}

export interface NodeContext {
  readonly jobId: string;
  readonly nodeId: string;
  readonly hidden: HiddenValues;
  /** The socket types of what is linked, and FLOAT of constants such as 5.0, by the name of the input: a whole FLOAT is not an INT. */
  readonly types: Readonly<Record<string, string>>;
  readonly files: JobFiles;
  readonly memory: Memory;
  /** Fires when the job is cancelled; hand it to everything that waits. */
  readonly signal: AbortSignal;
  /** Throws when the job was cancelled. Cheap enough for every row of a picture. */
  checkpoint(): void;
  /** How far this node is; the job's watchers see it. Also a checkpoint. */
  progress(value: number, max: number, preview?: PreviewFrame): void;
  /** Whether a preview would be sent now: previews are for nodes that run long. */
  wantsPreview(): boolean;
  showText(text: string): void;
  /** The time in the server's zone, for names of files. */
  now(): Date;
}
