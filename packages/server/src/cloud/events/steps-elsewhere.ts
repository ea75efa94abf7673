import type { UserEvent } from './user-event.ts';

/** The shortest time between two messages of a kind: other servers need to see that a job moves, not every step. */
const MESSAGE_MS = 250;
/** Pictures are a hundred times as large. */
const PICTURE_MS = 1000;
/** The first one waits: a job that ends within this time sends none. */
const FIRST_MS = 25;

interface Kind {
  /** When the next one may be sent. */
  nextAt: number;
  /** The newest event that came too soon after the last one. */
  waiting: { readonly userId: string; readonly event: UserEvent } | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** Whether it is a step of a job's progress, which the next one replaces. */
export function isStep(event: UserEvent): boolean {
  if (event.kind === 'message') return event.replaceable && event.type !== 'status';
  return event.kind !== 'picture';
}

/** Sends steps of progress and pictures to other servers: the newest of each kind, a few times a second. */
export function createStepsElsewhere(tell: (userId: string, event: UserEvent) => void) {
  const jobs = new Map<string, Map<string, Kind>>();

  function send(kind: Kind): void {
    const { waiting } = kind;
    clearTimeout(kind.timer);
    kind.timer = undefined;
    kind.waiting = undefined;
    if (!waiting) return;
    kind.nextAt = performance.now() + (waiting.event.kind === 'preview' ? PICTURE_MS : MESSAGE_MS);
    tell(waiting.userId, waiting.event);
  }

  function kindOf(jobId: string, name: string): Kind {
    const kinds = jobs.getOrInsertComputed(jobId, () => new Map<string, Kind>());
    return kinds.getOrInsertComputed(name, () => ({
      nextAt: performance.now() + FIRST_MS,
      waiting: undefined,
      timer: undefined,
    }));
  }

  function forget(jobId: string): void {
    for (const { timer } of jobs.get(jobId)?.values() ?? []) clearTimeout(timer);
    jobs.delete(jobId);
  }

  return {
    tell(userId: string, event: UserEvent): void {
      // One layout is enough: the other server makes the second one.
      const isRepeated = event.kind === 'preview' && event.layout === 'plain';
      if (event.jobId === undefined || isRepeated) return;
      const kind = kindOf(event.jobId, nameOf(event));
      kind.waiting = { userId, event };
      const left = kind.nextAt - performance.now();
      if (left <= 0) send(kind);
      else kind.timer ??= setTimeout(send, left, kind);
    },
    /** Sends what is waiting before an event that every reader must get. Node states may follow the start of a node: a newer message has them too. */
    flush({ jobId = '', ...next }: UserEvent): void {
      const isStart = next.kind === 'message' && next.type === 'executing' && next.id !== undefined;
      for (const [name, kind] of jobs.get(jobId) ?? []) if (!isStart || name !== 'progress_state') send(kind);
    },
    forget,
    close: () => jobs.keys().forEach(forget),
  };
}

function nameOf(event: UserEvent): string {
  return event.kind === 'message' ? event.type : event.kind;
}
