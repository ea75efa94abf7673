import type { Bus } from '../../platform/bus/bus.ts';
import { isEnding } from '../events/messages.ts';
import type { UserEvent } from '../events/user-event.ts';
import type { JobEndRow } from '../job-ends.repo.ts';

const SECOND_MS = 1000;
/** The bus may miss events of other servers, so the row is read too: after 1, 2, 4 and 8 s, then every 10 s. */
const MAX_LOOK_SECONDS = 10;

interface Parts {
  readonly bus: Bus<UserEvent>;
  readonly findEnd: (userId: string, jobId: string) => Promise<JobEndRow | undefined>;
}

interface WaitOptions {
  readonly ms: number;
  readonly signal: AbortSignal;
  /** The job was accepted after `watch`, so its end cannot have been missed. */
  readonly isNew: boolean;
  /** Called every second; rejects when the caller may no longer wait. */
  readonly check: () => Promise<unknown>;
}

export type JobWaiter = ReturnType<typeof createJobWaiter>;

export function createJobWaiter({ bus, findEnd }: Parts) {
  const waiting = new Set<() => void>();
  let isClosed = false;
  return {
    /** Watches for ends from now on. Call it before the job is submitted, so that its end is not missed. */
    watch(userId: string) {
      const ended = new Set<string>();
      let jobId: string | undefined;
      let isLookDue = false;
      let isCheckDue = false;
      let awake = Promise.withResolvers<void>();
      const look = (): void => {
        isLookDue = true;
        awake.resolve();
      };
      const stop = bus.subscribe(userId, (event) => {
        if (event.kind !== 'message' || event.jobId === undefined || !isEnding(event.type)) return;
        if (jobId === undefined) ended.add(event.jobId);
        else if (jobId === event.jobId) look();
      });
      waiting.add(look);

      return {
        /** The job when it ends, when time is up, when the caller is gone or when the server stops. */
        async wait(id: string, { ms, signal, isNew, check }: WaitOptions) {
          jobId = id;
          isLookDue = !isNew || ended.has(id) || isClosed;
          ended.clear();
          let seconds = 0;
          let nextLook = 1;
          const timer = setInterval(() => {
            seconds += 1;
            isCheckDue = true;
            if (seconds >= nextLook) {
              isLookDue = true;
              nextLook = seconds + Math.min(seconds, MAX_LOOK_SECONDS);
            }
            awake.resolve();
          }, SECOND_MS);
          const over = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
          over.addEventListener('abort', look, { once: true });
          if (over.aborted) look();
          try {
            for (;;) {
              if (isLookDue) {
                isLookDue = false;
                const row = await findEnd(userId, id);
                if (!row || row.ended_at !== null || over.aborted || isClosed) return row;
              }
              await awake.promise;
              awake = Promise.withResolvers();
              if (isCheckDue) await check();
              isCheckDue = false;
            }
          } finally {
            clearInterval(timer);
            over.removeEventListener('abort', look);
          }
        },
        [Symbol.dispose](): void {
          stop();
          waiting.delete(look);
        },
      };
    },
    /** Ends all waits, because the server stops. */
    close(): void {
      isClosed = true;
      for (const look of waiting) look();
    },
  };
}
