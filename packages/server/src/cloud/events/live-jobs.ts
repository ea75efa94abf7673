import type { JobMessages } from '@atelier/contracts';
import type { EngineEvent } from '@atelier/engine';

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
  /** Tells the user's watchers, in order. Nothing is told any more once the job has ended. */
  tell(event: EngineEvent): void;
  /** What was told so far and is kept. */
  kept(): readonly KeptEvent[];
  /** What a watcher who comes now has to know first: `execution_start`, `executing` of the present node, `progress_state`. */
  present(): readonly { readonly type: string; readonly data: unknown }[];
  /** Outputs so far, by node id. */
  outputs(): Readonly<Record<string, unknown>>;
  /** Says that the job was cancelled, with the node it was at, and ends. */
  interrupt(timestamp: number): JobMessages['execution_interrupted'];
  /** Says the end marker, `executing` without a node, and ends. The queue's `status` comes before it. */
  end(): void;
}

export interface LiveJobs {
  begin(job: { readonly id: string; readonly userId: string; readonly attempt: number }): LiveJob;
  /** The jobs of this user that run here. */
  of(userId: string): readonly LiveJob[];
  get(jobId: string): LiveJob | undefined;
}
