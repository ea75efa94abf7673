import { createApp } from '../../src/app.ts';
import type { Actor } from '../../src/platform/http/actor.ts';
import type { App } from '../../src/platform/http/route-config.ts';
import { createLogger } from '../../src/platform/log/create-logger.ts';
import { createMetrics } from '../../src/platform/metrics/create-metrics.ts';

/** The HTTP server with these routes. `callerOf` gets the header `x-user`. */
export async function appWith(
  routes: (app: App) => Promise<void>,
  callerOf: (user: string) => Actor,
): Promise<App> {
  const caller = async ({ headers }: { headers: Record<string, unknown> }) =>
    callerOf(String(headers['x-user']));
  return await createApp({
    log: createLogger('silent'),
    metrics: createMetrics({
      onError(error) {
        throw error;
      },
    }),
    health: {
      problem: async () => undefined,
      checks: async () => ({}),
      note() {},
      isDraining: () => false,
    },
    refusal: async () => undefined,
    publicUrl: undefined,
    hasConsole: false,
    trustedProxies: [],
    authenticate: caller,
    identify: caller,
    shouldUpgrade: () => false,
    rewriteUrl: (url) => url,
    routes: [routes],
  });
}
