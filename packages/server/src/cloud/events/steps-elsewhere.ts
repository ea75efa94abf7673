import type { UserEvent } from './user-event.ts';

/** Of each kind so often at most: other servers need to see that a job moves, not every step. */
const MESSAGE_MS = 250;
/** Pictures are a hundred times as large. */
const PICTURE_MS = 1000;
/** The first one waits for a moment: a job that is over by then needs no other. */
const FIRST_MS = 25;

interface Kind {
  /** The next one is not told before. */
  nextAt: number;
  /** What came too soon after the last one; a newer one takes its place. */
  waiting: { readonly userId: string; readonly event: UserEvent } | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** Whether it is a step of a job's progress, for which the next one makes up. */
export function isStep(event: UserEvent): boolean {
  if (event.kind === 'message') return event.replaceable && event.type !== 'status';
  return event.kind !== 'picture';
}

/** Steps of progress and pictures on their way to other servers: of each kind the newest, a few times a second. */
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
      // Of a picture one layout is enough: where it is heard, the other is made of it.
      const isRepeated = event.kind === 'preview' && event.layout === 'plain';
      if (event.jobId === undefined || isRepeated) return;
      const kind = kindOf(event.jobId, nameOf(event));
      kind.waiting = { userId, event };
      const left = kind.nextAt - performance.now();
      if (left <= 0) send(kind);
      else kind.timer ??= setTimeout(send, left, kind);
    },
    /**
     * This follows, and every reader has to get it: what still waits comes before it. The states of all nodes may come behind the start of one,
     * since a newer message has them too.
     */
    flush({ jobId = '', ...next }: UserEvent): void {
      const isStart = next.kind === 'message' && next.type === 'executing' && next.id !== undefined;
      for (const [name, kind] of jobs.get(jobId) ?? []) if (!isStart || name !== 'progress_state') send(kind);
    },
    /** The job is over here. */
    forget,
    close: () => jobs.keys().forEach(forget),
  };
}

function nameOf(event: UserEvent): string {
  return event.kind === 'message' ? event.type : event.kind;
}
