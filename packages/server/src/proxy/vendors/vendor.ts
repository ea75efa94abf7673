import type { TaskKind, VendorName } from '@atelier/contracts';
import type { PromptReading } from '@atelier/renderers';

import type { Outbound } from '../../platform/net/outbound.ts';
import type { TaskRequest } from '../requests/task-request.ts';

export interface VendorFile {
  /** The path of a finished file, or a URL of the vendor with the client that may fetch it. */
  readonly from: { readonly path: string } | { readonly url: string; readonly outbound: Outbound };
  readonly role: FileRole;
}

export type FileRole = 'picture' | 'video' | 'watermarked' | 'cover';

/** What a vendor is asked for. `inputs` are files in the folder of this step, by the name of their field. */
export interface VendorTask {
  readonly id: string;
  readonly kind: TaskKind;
  readonly seed: number;
  /** The request as it was accepted, defaults filled in, with the model's own name and without pictures. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, VendorInput>>;
  /** Where results may be written; emptied when the step ends. */
  readonly folder: string;
}

export interface VendorInput {
  readonly path: string;
  readonly mediaType: string;
  /** Where the vendor can fetch it for the next hours; `undefined` when this server has no public address. */
  readonly url: string | undefined;
}

/** How a task stands with its vendor. */
export type VendorTaskStatus =
  | {
      readonly state: 'queued' | 'running';
      readonly vendorTaskId: string;
      readonly progress?: number | undefined;
      /** How long the vendor asks us to wait before the next check. */
      readonly askAgainMs?: number | undefined;
    }
  | { readonly state: 'done'; readonly files: readonly VendorFile[] }
  /** `code` is the vendor's or ours, `message` is a sentence for people. */
  | { readonly state: 'failed'; readonly code: string; readonly message: string };

export interface VendorContext {
  readonly signal: AbortSignal;
  /** 0 to 100. May be called often. */
  readonly onProgress: (progress: number) => void;
  /** Where the vendor may report a change; `undefined` when this server has no public address. */
  readonly callbackUrl: string | undefined;
}

/** One way to generate. Throws `VendorTrouble` for what may pass. Anything else that it throws is a bug. */
export interface VendorAdapter {
  /** Stored with tasks, so never renamed. */
  readonly name: string;
  readonly vendor: VendorName;
  /** A `begin` whose answer was lost may be repeated. Otherwise the vendor would make, and charge, a second one. */
  readonly isRepeatable: boolean;
  /** How many steps this server takes at once. */
  readonly places: number;
  readonly description: VendorDescription;
  /** Only of a stand-in, which knows few words: how it reads the prompt of a request. */
  readonly understand?: (request: Pick<TaskRequest, 'kind' | 'settings' | 'pictures'>) => UnderstoodPrompt;
  /** Asks for the work. A local adapter does it before it answers. */
  begin(task: VendorTask, context: VendorContext): Promise<VendorTaskStatus>;
  check(vendorTaskId: string, task: VendorTask, context: VendorContext): Promise<VendorTaskStatus>;
  close(): Promise<void>;
}

export interface UnderstoodPrompt extends PromptReading {
  /** Continues "It needs an English word for". */
  readonly subjects: string;
}

export interface VendorDescription {
  readonly title: string;
  readonly isLocal: boolean;
  /** What it does and what it does not do, in sentences. */
  readonly about: string;
  readonly host?: string | undefined;
}

/** A problem with the vendor or the way to it that may pass. */
export class VendorTrouble extends Error {
  override readonly name = 'VendorTrouble';
  /** Whether the vendor may have acted on the request, so that `begin` must not simply be called again. */
  readonly mayHaveArrived: boolean;
  /** How long the vendor asks us to wait, as with Retry-After. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    options: { mayHaveArrived: boolean; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.mayHaveArrived = options.mayHaveArrived;
    this.retryAfterMs = options.retryAfterMs;
  }
}
