import type { Bus } from '../../platform/bus/bus.ts';
import type { Db } from '../../platform/db/database.ts';
import { isEnding } from '../events/messages.ts';
import type { UserEvent } from '../events/user-event.ts';
import { findJobEnd } from '../job-ends.repo.ts';

/** The bus may miss what another server does, so the row is looked at now and then too. */
const LOOK_MS = 1000;

interface WaitOptions {
  readonly ms: number;
  readonly signal: AbortSignal;
  /** Called every second; rejects when the caller may not wait any more. */
  readonly check: () => Promise<unknown>;
}

export type JobWaiter = ReturnType<typeof createJobWaiter>;

export function createJobWaiter({ db, bus }: { readonly db: Db; readonly bus: Bus<UserEvent> }) {
  const waiting = new Set<() => void>();
  let isClosed = false;
  return {
    /** How the job stands when it ends, when time is up, when the caller is gone or when the server stops. */
    async wait(userId: string, jobId: string, { ms, signal, check }: WaitOptions) {
      const over = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
      let look = Promise.withResolvers<void>();
      const stop = bus.subscribe(userId, (event) => {
        if (event.kind === 'message' && event.jobId === jobId && isEnding(event.type)) look.resolve();
      });
      let isCheckDue = false;
      const timer = setInterval(() => {
        isCheckDue = true;
        look.resolve();
      }, LOOK_MS);
      const onOver = () => look.resolve();
      over.addEventListener('abort', onOver, { once: true });
      waiting.add(onOver);
      try {
        for (;;) {
          const row = await findJobEnd(db, userId, jobId);
          if (!row || row.ended_at !== null || over.aborted || isClosed) return row;
          await look.promise;
          look = Promise.withResolvers();
          if (isCheckDue) await check();
          isCheckDue = false;
        }
      } finally {
        stop();
        clearInterval(timer);
        over.removeEventListener('abort', onOver);
        waiting.delete(onOver);
      }
    },
    /** Ends all waits: the server stops. */
    close(): void {
      isClosed = true;
      for (const look of waiting) look();
    },
  };
}
