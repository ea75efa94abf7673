import { Type } from 'typebox';

import { notFound } from '../platform/errors/app-error.ts';
import type { App } from '../platform/http/route-config.ts';
import { sendJson } from '../platform/http/send-json.ts';
import { DOORS, hostRoute } from './doors.ts';
import { MODEL_FOLDERS } from './model-folders.ts';
import { STUB_RESPONSES } from './stub-responses.ts';

const tags = ['host'];

/** `index.json`, or the same for a language: `index.zh-TW.json`. */
const TEMPLATE_INDEX = /^index(\.[A-Za-z]{2,3}(-[A-Za-z]{2,4})?)?\.json$/;

/** Routes of which the frontend needs an answer and nothing else. */
export async function stubResponsesRoutes(app: App): Promise<void> {
  for (const { prefix, area } of DOORS) {
    for (const { path, name, summary, description, schema, answer } of STUB_RESPONSES) {
      const text = JSON.stringify(answer);
      app.get(
        prefix + path,
        {
          config: hostRoute(`${area}.${name}`),
          schema: { summary, description, tags, response: { 200: schema } },
        },
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
          description:
            'For the log panel of the stock editor. Accepted and ignored: the log is for operators, and ' +
            'nothing is sent.',
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
          description:
            'No node type here needs a model file. A folder that `GET /models` does not name gets 404.',
          tags,
          params: Type.Object({
            folder: Type.String({ description: 'One of the folders of `GET /models`.' }),
          }),
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
        description: 'This server has no templates. Any other name gets 404.',
        tags,
        params: Type.Object({
          name: Type.String({ description: '`index.json`, or with a language: `index.fr.json`.' }),
        }),
        response: { 200: Type.Array(Type.Unknown()) },
      },
    },
    ({ params: { name } }) => {
      if (!TEMPLATE_INDEX.test(name)) throw notFound('template', name);
      return [];
    },
  );
}
