import { Type } from 'typebox';

import { notFound } from '../platform/errors/app-error.ts';
import { createRouteDefiner } from '../platform/http/define-route.ts';
import { HOST } from '../platform/http/doors.ts';
import type { App } from '../platform/http/route-config.ts';
import { sendJson } from '../platform/http/send-json.ts';
import { MODEL_FOLDERS } from './model-folders.ts';
import { STUB_RESPONSES } from './stub-responses.ts';

/** `index.json`, or the same for a language: `index.zh-TW.json`. */
const TEMPLATE_INDEX = /^index(\.[A-Za-z]{2,3}(-[A-Za-z]{2,4})?)?\.json$/;
const EmptyList = Type.Array(Type.Unknown());

/** Routes of which the frontend needs an answer and nothing else. */
export async function stubResponsesRoutes(app: App): Promise<void> {
  const parameters = {
    folder: 'One of the folders of `GET /models`.',
    name: '`index.json`, or with a language: `index.fr.json`.',
  };
  const route = createRouteDefiner(app, { ...HOST, tag: 'host', parameters });
  for (const { path, schema, answer, ...described } of STUB_RESPONSES) {
    const text = JSON.stringify(answer);
    route('GET', path, {
      ...described,
      response: { 200: schema },
      handle: async ({ reply }) => await sendJson(reply, text),
    });
  }
  for (const [path, operation] of [
    ['/models/:folder', 'models.list'],
    ['/experiment/models/:folder', 'models.experimentList'],
  ] as const) {
    route('GET', path, {
      operation,
      failures: [404],
      summary: 'Models in a folder: none',
      description:
        'No node type here needs a model file. A folder that `GET /models` does not name gets 404.',
      response: { 200: EmptyList },
      handle: async ({ params: { folder } }) => {
        if (!MODEL_FOLDERS.includes(folder)) throw notFound('folder', folder);
        return [];
      },
    });
  }
  route('GET', '/templates/:name', {
    operation: 'templates.index',
    failures: [404],
    summary: 'The index of templates, `index.json` or that of a language: empty',
    description: 'This server has no templates. Any other name gets 404.',
    response: { 200: EmptyList },
    handle: async ({ params: { name } }) => {
      if (!TEMPLATE_INDEX.test(name)) throw notFound('template', name);
      return [];
    },
  });
  route('PATCH', '/internal/logs/subscribe', {
    operation: 'logs.subscribe',
    summary: 'Be told of new lines of the log, of which there are none',
    description:
      'For the log panel of the stock editor. Accepted and ignored: the log is for operators, and nothing is sent.',
    response: { 200: Type.Null({ description: 'Taken note of.' }) },
    handle: async ({ reply }) => await reply.send(null),
  });
}
