import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { AppError } from '../platform/errors/app-error.ts';
import { actorOf } from '../platform/http/actor.ts';
import type { App, Routes } from '../platform/http/route-config.ts';
import { sendJson } from '../platform/http/send-json.ts';
import { DOORS, hostRoute } from './doors.ts';
import type { SettingsService } from './settings.service.ts';

const tags = ['host'];
const consumes = ['application/json', 'text/plain'];

const Settings = Type.Record(Type.String(), Type.Unknown(), { description: 'Values by id.' });
const Id = Type.Object({
  id: Type.String({ description: 'Id of the setting, as the editor names it.' }),
});
const Value = Type.Unknown({ description: 'Any JSON value.' });

/** What users set in the editor. */
export const settingsRoutes: Routes<{ settings: SettingsService }> =
  ({ settings }) =>
  async (app) => {
    for (const { prefix, area } of DOORS) {
      addReads(app, settings, { url: `${prefix}/settings`, name: `${area}.settings` });
      addWrites(app, settings, { url: `${prefix}/settings`, name: `${area}.settings` });
    }
  };

interface Place {
  readonly url: string;
  readonly name: string;
}

function addReads(app: App, settings: SettingsService, { url, name }: Place): void {
  app.get(
    url,
    {
      config: hostRoute(`${name}.list`),
      schema: {
        summary: 'What the caller has set',
        description:
          'An empty object until something is set. The server keeps the values for the editor and does ' +
          'not interpret them.',
        tags,
        response: { 200: Settings },
      },
    },
    async (request, reply) => await sendJson(reply, await settings.read(actorOf(request).userId)),
  );
  app.get(
    `${url}/:id`,
    {
      config: hostRoute(`${name}.one`),
      schema: {
        summary: 'One value that the caller has set, or null',
        description: 'A value that was set to `null` looks the same as one that was never set.',
        tags,
        params: Id,
        response: { 200: Value },
      },
    },
    async (request, reply) => {
      const value = await settings.readOne(actorOf(request).userId, request.params.id);
      return await sendJson(reply, JSON.stringify(value));
    },
  );
}

function addWrites(app: App, settings: SettingsService, { url, name }: Place): void {
  app.post(
    url,
    {
      config: hostRoute(`${name}.merge`),
      onRequest: readAsJson,
      schema: {
        summary: 'Set several values and leave the others; answers all of them',
        description:
          'All settings of a user take at most 1 MiB as JSON (413); a value has at most 100 levels (400). ' +
          'The body is read as JSON under any content type.',
        tags,
        consumes,
        body: Settings,
        response: { 200: Settings },
      },
    },
    async (request, reply) =>
      await sendJson(reply, await settings.merge(actorOf(request).userId, request.body)),
  );
  app.post(
    `${url}/:id`,
    {
      config: hostRoute(`${name}.set`),
      onRequest: readAsJson,
      schema: {
        summary: 'Set one value; answers it',
        description:
          'Takes any JSON value, including `null`, under any content type. All settings of a user take at ' +
          'most 1 MiB as JSON (413).',
        tags,
        consumes,
        params: Id,
        body: Value,
        response: { 200: Value },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      if (body === undefined) throw new AppError('request.malformed', 'The body must be a JSON value.');
      await settings.merge(actorOf(request).userId, { [params.id]: body });
      return await sendJson(reply, JSON.stringify(body));
    },
  );
}

/** The frontend sends its JSON without saying so, and browsers then call it plain text. */
async function readAsJson({ raw }: FastifyRequest): Promise<void> {
  raw.headers['content-type'] = 'application/json';
}
