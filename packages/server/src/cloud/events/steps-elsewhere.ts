import type { MessageEvent, UserEvent } from './user-event.ts';

/** Of each kind so often at most: other servers need to see that a job moves, not every step. */
const MESSAGE_MS = 250;
/** Pictures are a hundred times as large. */
const PICTURE_MS = 1000;

type Tell = (userId: string, event: UserEvent) => void;

interface Kind {
  toldAt: number;
  /** What came too soon after the last one; a newer one takes its place. */
  waiting: { readonly userId: string; readonly event: UserEvent } | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** Steps of progress and pictures on their way to other servers: of each kind the newest, a few times a second. */
export interface StepsElsewhere {
  tell(userId: string, event: UserEvent): void;
  /** Something follows that every reader has to get: what still waits comes before it. */
  flush(jobId: string): void;
  /** The job is over here. */
  forget(jobId: string): void;
  close(): void;
}

/** Whether it is a step of a job's progress, for which the next one makes up. */
export function isStep(event: UserEvent): boolean {
  if (event.kind === 'message') return event.replaceable && event.type !== 'status';
  return event.kind !== 'picture';
}

export function createStepsElsewhere(tell: Tell): StepsElsewhere {
  const jobs = new Map<string, Map<string, Kind>>();

  function send(kind: Kind): void {
    const { waiting } = kind;
    clearTimeout(kind.timer);
    kind.timer = undefined;
    kind.waiting = undefined;
    if (!waiting) return;
    kind.toldAt = performance.now();
    tell(waiting.userId, waiting.event);
  }

  function kindOf(jobId: string, name: string): Kind {
    const kinds = jobs.get(jobId) ?? new Map<string, Kind>();
    jobs.set(jobId, kinds);
    const kind = kinds.get(name) ?? {
      toldAt: Number.NEGATIVE_INFINITY,
      waiting: undefined,
      timer: undefined,
    };
    kinds.set(name, kind);
    return kind;
  }

  return {
    tell(userId, event) {
      if (event.jobId === undefined) return;
      const kind = kindOf(event.jobId, nameOf(event));
      kind.waiting = { userId, event };
      const left = kind.toldAt + (event.kind === 'preview' ? PICTURE_MS : MESSAGE_MS) - performance.now();
      if (left <= 0) send(kind);
      else kind.timer ??= setTimeout(send, left, kind);
    },
    flush(jobId) {
      for (const kind of jobs.get(jobId)?.values() ?? []) send(kind);
    },
    forget(jobId) {
      for (const { timer } of jobs.get(jobId)?.values() ?? []) clearTimeout(timer);
      jobs.delete(jobId);
    },
    close() {
      for (const jobId of jobs.keys()) this.forget(jobId);
    },
  };
}

function nameOf(event: UserEvent): string {
  if (event.kind === 'message') return (event satisfies MessageEvent).type;
  return event.kind === 'preview' ? event.layout : event.kind;
}
