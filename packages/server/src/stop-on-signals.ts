import { setTimeout as delay } from 'node:timers/promises';

import type { Atelier } from './compose.ts';
import type { Logger } from './platform/log/create-logger.ts';
import type { LogOutput } from './platform/log/log-output.ts';

interface Parts {
  readonly log: Logger;
  readonly output: LogOutput;
  readonly drainMs: number;
  readonly deadlineMs: number;
}

const IDLE_SWEEP_MS = 50;
/** How long cut-off connections have to end. Upgraded ones may never end. */
const CUT_OFF_MS = 1000;

/**
 * The first SIGTERM or SIGINT stops in order: at first only `/ready` shows it, then no new connections are accepted, requests in
 * flight finish, and everything is released. After the deadline, or at a second signal, the rest is cut off.
 */
export function stopOnSignals(
  { app, drain, release }: Atelier,
  { log, output, drainMs, deadlineMs }: Parts,
): void {
  let isStopping = false;

  const stop = async (signal: string): Promise<void> => {
    if (isStopping) process.exit(1);
    isStopping = true;
    drain();
    if (drainMs > 0) {
      log.info({ signal, ms: drainMs }, 'requests should go to other servers now');
      await delay(drainMs);
    }
    log.info({ signal }, 'stopping');
    const { promise: isCutOff, resolve: goOn } = Promise.withResolvers<void>();
    const tooLate = setTimeout(() => {
      log.warn('cutting off what did not finish in time');
      app.server.closeAllConnections();
      setTimeout(goOn, CUT_OFF_MS);
    }, deadlineMs);
    // Closes connections that become idle later, after their last answer.
    const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS);
    await Promise.race([app.close(), isCutOff]);
    clearInterval(sweep);
    clearTimeout(tooLate);
    await release();
    log.info('stopped');
    await output.written();
    process.exit(0);
  };

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      void stop(signal).catch(async (error: unknown) => {
        log.error({ err: error }, 'could not stop in order');
        await output.written();
        process.exit(1);
      });
    });
  }
}
