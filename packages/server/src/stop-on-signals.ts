import type { Atelier } from './compose.ts';
import type { Logger } from './platform/log/create-logger.ts';

const IDLE_SWEEP_MS = 50;
const FLUSH_MS = 1000;

/**
 * The first SIGTERM or SIGINT stops in order: no new connections, requests in flight finish, parts are given
 * back. After the deadline, or at a second signal, whatever is left is cut off.
 */
export function stopOnSignals(
  { app, release }: Atelier,
  { log, deadlineMs }: { log: Logger; deadlineMs: number },
): void {
  let isStopping = false;

  /** The log's reader may be gone, and then the flush never ends. */
  const endAfterFlush = (code: number): void => {
    setTimeout(() => process.exit(code), FLUSH_MS);
    log.flush(() => process.exit(code));
  };

  const stop = async (signal: string): Promise<void> => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, 'stopping');
    const tooLate = setTimeout(() => {
      log.warn('cutting off what did not finish in time');
      app.server.closeAllConnections();
    }, deadlineMs);
    // A connection whose last answer was under way becomes idle only now, and nobody else would close it.
    const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS);
    await app.close();
    clearInterval(sweep);
    clearTimeout(tooLate);
    await release();
    log.info('stopped');
    endAfterFlush(0);
  };

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      void stop(signal).catch((error: unknown) => {
        log.error({ err: error }, 'could not stop in order');
        endAfterFlush(1);
      });
    });
  }
}
