import type { JobMessages } from '@atelier/contracts';
import type { EngineEvent } from '@atelier/engine';

import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import type { MessageEvent } from './user-event.ts';

/** A message that is kept with the job: all but progress, previews and text. */
export interface KeptEvent {
  /** `<attempt>-<number>`, counting up within the attempt. */
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
}

/** The attempt at a job that this server runs now, as watchers see it. */
export interface LiveJob {
  readonly id: string;
  readonly userId: string;
  readonly attempt: number;
  /** Tells the user's watchers, in order. After a final event (success, error with a timestamp, interrupted) nothing is told any more. */
  tell(event: EngineEvent): void;
  kept(): readonly KeptEvent[];
  /** What a watcher who comes now has to know first: `execution_start`, `executing` of the present node, `progress_state`. */
  present(): readonly MessageEvent[];
  outputs(): Readonly<Record<string, unknown>>;
  /** What will be kept once this event, the last one, is told. It tells nothing: the row is written first. */
  keptWith(event: EngineEvent): readonly KeptEvent[];
  /** The message that says the job was cancelled, with the node it is at. It tells nothing. */
  interruption(timestamp: number): JobMessages['execution_interrupted'];
  /**
   * The attempt is over. Says the end marker, `executing` without a node, when a final event was told before; an attempt that is
   * given up without one, because the job goes on elsewhere, ends in silence. Only the first call counts.
   */
  end(): void;
}

export interface StartedJob {
  readonly id: string;
  readonly userId: string;
  readonly attempt: number;
  /** As JSON: whoever cancels the job is told the type of the node it is at. */
  readonly graph?: string;
  /** As JSON: pictures are for the client that it names. */
  readonly extraData?: string;
}

export interface LiveJobs {
  begin(job: StartedJob): LiveJob;
  of(userId: string): readonly LiveJob[];
  get(jobId: string): LiveJob | undefined;
}

export interface JobRecord {
  readonly status: JobStatus;
  /** What was kept of it, once it has ended. */
  readonly events: readonly KeptEvent[];
}
