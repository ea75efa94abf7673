import { Templates } from '@atelier/contracts';
import { Type } from 'typebox';

import { notFound } from '../platform/errors/app-error.ts';
import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { HOST_DEFAULTS } from '../platform/http/route-defaults.ts';
import { sendJson } from '../platform/http/send-json.ts';
import type { Examples } from './examples.ts';

/** `index.json`, or the same for a language: `index.zh-TW.json`. */
const INDEX = /^index(\.[A-Za-z]{2,3}(-[A-Za-z]{2,4})?)?\.json$/;
const FILE = /^([a-z0-9-]+?)(\.json|-1\.webp)$/;

/** What the templates dialog of the stock frontend shows: the examples of this server. */
export const templatesRoutes: Routes<{ readonly examples: Examples }> =
  ({ examples }) =>
  async (app) => {
    const parameters = {
      name: '`index.json`, with a language `index.fr.json`; `<name>.json` or `<name>-1.webp` of an example.',
    };
    const route = createRouteDefiner(app, { ...HOST_DEFAULTS, tag: 'host', parameters });
    route('GET', '/templates/:name', {
      operation: 'templates.read',
      failures: [404],
      summary: 'Example workflows: the index, a workflow or its thumbnail',
      description:
        'The index is a list of categories with `templates`. An example is a workflow of the editor; `extra.atelier` has its title, description, tags and the inputs that matter. The index is the same in every language. Any other name gets 404.',
      response: {
        200: Type.Unsafe<unknown>({
          description: 'What was asked for.',
          content: {
            'application/json': {
              schema: Type.Union([Templates, Type.Record(Type.String(), Type.Unknown())]),
            },
            'image/webp': { schema: { type: 'string', format: 'binary' } },
          },
        }),
      },
      handle: async ({ params: { name }, reply }) => {
        if (INDEX.test(name)) return await sendJson(reply, await examples.index());
        const [, id = '', kind] = FILE.exec(name) ?? [];
        const example = await examples.find(id);
        if (!example) throw notFound('template', name);
        if (kind === '.json') return await sendJson(reply, example.text);
        return await reply.type('image/webp').send(example.thumbnail);
      },
    });
  };
