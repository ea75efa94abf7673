import type { Atelier } from './compose.ts';
import type { Logger } from './platform/log/create-logger.ts';

/**
 * The first SIGTERM or SIGINT stops in order: no new connections, requests in flight finish, parts are given
 * back. After the deadline, or at a second signal, whatever is left is cut off.
 */
export function stopOnSignals(
  { app, release }: Atelier,
  { log, deadlineMs }: { log: Logger; deadlineMs: number },
): void {
  let isStopping = false;

  const stop = async (signal: string): Promise<void> => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, 'stopping');
    const tooLate = setTimeout(() => {
      log.warn('cutting off what did not finish in time');
      app.server.closeAllConnections();
    }, deadlineMs);
    await app.close();
    clearTimeout(tooLate);
    await release();
    log.info('stopped');
    log.flush(() => process.exit(0));
  };

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      void stop(signal).catch((error: unknown) => {
        log.error({ err: error }, 'could not stop in order');
        log.flush(() => process.exit(1));
      });
    });
  }
}
