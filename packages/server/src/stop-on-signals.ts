import { setTimeout as delay } from 'node:timers/promises';

import type { Atelier } from './compose.ts';
import type { Logger } from './platform/log/create-logger.ts';
import type { LogOutput } from './platform/log/log-output.ts';

const IDLE_SWEEP_MS = 50;
/** What was cut off has so long to notice. Connections that have left the server for another protocol may never do. */
const CUT_OFF_MS = 1000;

/**
 * The first SIGTERM or SIGINT stops in order: for a while only `/ready` says so, then there are no new connections, requests in flight
 * finish, parts are given back. After the deadline, or at a second signal, whatever is left is cut off.
 */
export function stopOnSignals(
  { app, drain, release }: Atelier,
  {
    log,
    output,
    drainMs,
    deadlineMs,
  }: { log: Logger; output: LogOutput; drainMs: number; deadlineMs: number },
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
    // A connection whose last answer was under way becomes idle only now, and nobody else would close it.
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
