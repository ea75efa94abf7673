import { Type } from 'typebox';

import { notFound } from '../platform/errors/app-error.ts';
import type { App } from '../platform/http/route-config.ts';
import { DOORS, hostRoute } from './doors.ts';
import { MODEL_FOLDERS } from './model-folders.ts';
import { POLITE_EMPTIES } from './polite-empties.ts';
import { sendJson } from './send-json.ts';

const tags = ['host'];

/** `index.json`, or the same for a language: `index.zh-TW.json`. */
const TEMPLATE_INDEX = /^index(\.[A-Za-z]{2,3}(-[A-Za-z]{2,4})?)?\.json$/;

/** Routes of which the frontend needs an answer and nothing else. */
export async function politeEmptiesRoutes(app: App): Promise<void> {
  for (const { prefix, area } of DOORS) {
    for (const { path, name, summary, schema, answer } of POLITE_EMPTIES) {
      const text = JSON.stringify(answer);
      app.get(
        prefix + path,
        { config: hostRoute(`${area}.${name}`), schema: { summary, tags, response: { 200: schema } } },
        async (_request, reply) => await sendJson(reply, text),
      );
    }
    addEmptyLists(app, prefix, area);
    app.patch(
      `${prefix}/internal/logs/subscribe`,
      {
        config: hostRoute(`${area}.logs.subscribe`),
        schema: {
          summary: 'Be told of new lines of the log, of which there are none',
          tags,
          response: { 200: Type.Null({ description: 'Taken note of.' }) },
        },
      },
      async (_request, reply) => await reply.send(null),
    );
  }
}

function addEmptyLists(app: App, prefix: string, area: string): void {
  for (const [path, name] of [
    ['/models/:folder', 'models.list'],
    ['/experiment/models/:folder', 'models.experimentList'],
  ] as const) {
    app.get(
      prefix + path,
      {
        config: hostRoute(`${area}.${name}`, { failures: [404] }),
        schema: {
          summary: 'Models in a folder: none',
          tags,
          params: Type.Object({ folder: Type.String() }),
          response: { 200: Type.Array(Type.Unknown()) },
        },
      },
      ({ params: { folder } }) => {
        if (!MODEL_FOLDERS.includes(folder)) throw notFound('folder', folder);
        return [];
      },
    );
  }
  app.get(
    `${prefix}/templates/:name`,
    {
      config: hostRoute(`${area}.templates.index`, { failures: [404] }),
      schema: {
        summary: 'The index of templates, `index.json` or that of a language: empty',
        tags,
        params: Type.Object({ name: Type.String() }),
        response: { 200: Type.Array(Type.Unknown()) },
      },
    },
    ({ params: { name } }) => {
      if (!TEMPLATE_INDEX.test(name)) throw notFound('template', name);
      return [];
    },
  );
}
