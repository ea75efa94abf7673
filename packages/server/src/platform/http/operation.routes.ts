import { Readiness, ServerVersion } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';
import { Type } from 'typebox';

import { findCommit } from '../find-commit.ts';
import { CHECKS, type Health } from '../health.ts';
import { loadOnce } from '../load-once.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { requireAdmin } from './actor.ts';
import { createRouteDefiner } from './define-route.ts';
import type { Routes } from './route-config.ts';

/** Clients of ComfyUI request it to check that the server answers. */
const FRONT_PAGE = `<!doctype html>
<html lang="en">
<title>Atelier</title>
<h1>Atelier</h1>
<p>The server is running. <a href="/docs/">The API</a></p>
</html>
`;

export interface OperationParts {
  readonly metrics: Metrics;
  readonly health: Pick<Health, 'problem' | 'checks' | 'isDraining'>;
  /** Browsers are redirected from `/` to the console. */
  readonly hasConsole: boolean;
  readonly version: string;
}

/** What an operator's tools ask for. */
export const operationRoutes: Routes<OperationParts> =
  ({ metrics, health, hasConsole, version }) =>
  async (app) => {
    const buildInfo = loadOnce(async () => ({ version, ...present({ commit: await findCommit() }) }));
    const route = createRouteDefiner(app, { tag: 'operation' });
    route('GET', '/', {
      operation: 'root',
      access: 'public',
      hide: true,
      response: {},
      handle: async ({ request, reply }) => {
        reply.header('vary', 'accept');
        if (hasConsole && request.headers.accept?.includes('text/html'))
          return await reply.redirect('/console/');
        return await reply
          .type('text/html; charset=utf-8')
          .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
          .send(FRONT_PAGE);
      },
    });

    route('GET', '/health', {
      operation: 'health',
      access: 'public',
      summary: 'Whether the server can do its work',
      description:
        'Writes to the data folder and to the database, at most once a second, and asks an S3 store for a sign of life, at most every 5 seconds. The headers `x-atelier-version` and `x-atelier-commit` say what answers. A load balancer should ask `/ready`.',
      produces: ['text/plain'],
      response: {
        200: Type.Literal('OK', { description: 'It can.' }),
        503: Type.String({
          description: 'It answers but cannot save anything; the text says why, such as a full disk.',
        }),
      },
      handle: async ({ reply }) => {
        const problem = await health.problem();
        for (const [name, value] of Object.entries(await buildInfo()))
          reply.header(`x-atelier-${name}`, value);
        return await reply
          .code(problem === undefined ? 200 : 503)
          .type('text/plain; charset=utf-8')
          .serializer(String)
          .send(problem ?? 'OK');
      },
    });

    route('GET', '/ready', {
      operation: 'ready',
      access: 'public',
      summary: 'Whether requests should be sent here',
      description:
        'For load balancers. Not whether to restart the process: the server recovers by itself. Says 503 as soon as the server is asked to stop, while it still answers.',
      response: { 200: Readiness, 503: Readiness },
      handle: async ({ reply }) => {
        const found = await health.checks();
        const checks = CHECKS.map((name) => {
          const message = found[name];
          return [name, message === undefined ? { ok: true } : { ok: false, message }] as const;
        });
        const isWell = checks.every(([, { ok }]) => ok);
        const status = health.isDraining() ? 'stopping' : isWell ? 'ready' : 'not_ready';
        return await reply
          .code(status === 'ready' ? 200 : 503)
          .header('cache-control', 'no-store')
          .send({ status, ...(await buildInfo()), checks: Object.fromEntries(checks) });
      },
    });

    route('GET', '/version', {
      operation: 'version',
      access: 'public',
      summary: 'What this server is',
      description: 'For clients, to tell an Atelier from other servers and to compare versions.',
      response: { 200: ServerVersion },
      handle: async () => ({ name: 'atelier', ...(await buildInfo()) }) as const,
    });

    route('GET', '/metrics', {
      operation: 'metrics',
      access: 'local',
      summary: 'Measurements in Prometheus form, for callers on this machine and administrators',
      description:
        "A caller on this machine needs no credential, unless the request has an `Origin` or a forwarding header, or comes from another site's page. Everyone else needs the credential of an administrator.",
      produces: ['text/plain'],
      response: { 200: Type.String({ description: 'Prometheus text format.' }) },
      handle: async ({ actor, reply }) => {
        if (actor) requireAdmin(actor);
        return await reply
          .type(metrics.contentType)
          .serializer(String)
          .send(await metrics.render());
      },
    });
  };
