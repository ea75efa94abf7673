import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { AppError } from '../platform/errors/app-error.ts';
import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { HOST_DEFAULTS } from '../platform/http/route-defaults.ts';
import { sendJson } from '../platform/http/send-json.ts';
import type { SettingsService } from './settings.service.ts';

const consumes = ['application/json', 'text/plain'];

const Settings = Type.Record(Type.String(), Type.Unknown(), { description: 'Values by id.' });
const Value = Type.Unknown({ description: 'Any JSON value.' });

/** What users set in the editor. */
export const settingsRoutes: Routes<{ settings: SettingsService }> =
  ({ settings }) =>
  async (app) => {
    const parameters = { id: 'Id of the setting, as the editor names it.' };
    const route = createRouteDefiner(app, { ...HOST_DEFAULTS, tag: 'host', parameters });
    route('GET', '/settings', {
      operation: 'settings.list',
      summary: 'What the caller has set',
      description:
        'An empty object until something is set. The server keeps the values for the editor and does not interpret them.',
      response: { 200: Settings },
      handle: async ({ actor, reply }) => await sendJson(reply, await settings.read(actor.userId)),
    });
    route('GET', '/settings/:id', {
      operation: 'settings.one',
      summary: 'One value that the caller has set, or null',
      description: 'A value that was set to `null` looks the same as one that was never set.',
      response: { 200: Value },
      handle: async ({ actor, params, reply }) => {
        const value = await settings.readOne(actor.userId, params.id);
        return await sendJson(reply, JSON.stringify(value));
      },
    });

    route('POST', '/settings', {
      operation: 'settings.merge',
      onRequest: readAsJson,
      summary: 'Set several values and leave the others; answers all of them',
      description:
        'All settings of a user take at most 1 MiB as JSON (413); a value has at most 100 levels (400). The body is read as JSON under any content type.',
      consumes,
      body: Settings,
      response: { 200: Settings },
      handle: async ({ actor, body, reply }) =>
        await sendJson(reply, await settings.merge(actor.userId, body)),
    });
    route('POST', '/settings/:id', {
      operation: 'settings.set',
      onRequest: readAsJson,
      summary: 'Set one value; answers it',
      description:
        'Takes any JSON value, including `null`, under any content type. All settings of a user take at most 1 MiB as JSON (413).',
      consumes,
      body: Value,
      response: { 200: Value },
      handle: async ({ actor, params, body, reply }) => {
        if (body === undefined) throw new AppError('request.malformed', 'The body must be a JSON value.');
        await settings.merge(actor.userId, { [params.id]: body });
        return await sendJson(reply, JSON.stringify(body));
      },
    });
  };

/** The frontend sends JSON without a content type, and browsers then declare it as plain text. */
async function readAsJson({ raw }: FastifyRequest): Promise<void> {
  raw.headers['content-type'] = 'application/json';
}
