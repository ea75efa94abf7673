import { type TSchema, Type } from 'typebox';

import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { App } from '../platform/http/route-config.ts';
import { HOST_DEFAULTS } from '../platform/http/route-defaults.ts';
import { sendJson } from '../platform/http/send-json.ts';

const ByName = Type.Record(Type.String(), Type.Unknown());

interface StubResponse {
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly description: string;
  /** With `answer`; an empty object by default. */
  readonly schema?: TSchema;
  readonly answer?: unknown;
}

const Names = Type.Array(Type.String());

/** What the frontend requests and this server does not have: empty answers in the form of the host application. */
const STUB_RESPONSES: readonly StubResponse[] = [
  {
    path: '/extensions',
    operation: 'extensions.list',
    summary: 'Scripts of extensions: none',
    description: 'Always an empty list: this server adds no scripts to the editor.',
    schema: Names,
    answer: [],
  },
  {
    path: '/i18n',
    operation: 'i18n.list',
    summary: 'Translations of node packs: none',
    description: 'Always an empty object: this server sends no translations.',
  },
  {
    path: '/workflow_templates',
    operation: 'templates.ofPacks',
    summary: 'Templates of node packs: none',
    description:
      'Always an empty object: node packs bring no templates. Those of the server are at `/templates/index.json`.',
  },
  {
    path: '/templates/index_logo.json',
    operation: 'templates.logos',
    summary: 'Logos in the pictures of templates: none',
    description: 'Always an empty object: thumbnails of examples have no logos.',
  },
  {
    path: '/global_subgraphs',
    operation: 'subgraphs.list',
    summary: 'Subgraphs for everybody: none',
    description: 'Always an empty object: there are no shared subgraphs.',
  },
  {
    path: '/node_replacements',
    operation: 'nodeTypes.replacements',
    summary: 'Node types that stand for others: none',
    description:
      'Always an empty object: no node type replaces another. `GET /object_info` lists the node types.',
  },
  {
    path: '/internal/logs',
    operation: 'logs.text',
    summary: 'The log, which is for operators: empty',
    description: 'Always an empty string, for every caller.',
    schema: Type.String(),
    answer: '',
  },
  {
    path: '/internal/logs/raw',
    operation: 'logs.entries',
    summary: 'The log, which is for operators: no entries',
    description: 'Always without entries, for every caller. `size` is a terminal of 80 by 24.',
    schema: Type.Object({
      entries: Type.Array(Type.Unknown()),
      size: Type.Object({ cols: Type.Integer(), rows: Type.Integer() }),
    }),
    answer: { entries: [], size: { cols: 80, rows: 24 } },
  },
];

export async function stubResponsesRoutes(app: App): Promise<void> {
  const route = createRouteDefiner(app, { ...HOST_DEFAULTS, tag: 'host' });
  for (const { path, schema = ByName, answer = {}, ...described } of STUB_RESPONSES) {
    const text = JSON.stringify(answer);
    route('GET', path, {
      ...described,
      response: { 200: schema },
      handle: async ({ reply }) => await sendJson(reply, text),
    });
  }
  route('PATCH', '/internal/logs/subscribe', {
    operation: 'logs.subscribe',
    summary: 'Be told of new lines of the log, of which there are none',
    description:
      'For the log panel of the stock editor. Accepted and ignored: the log is for operators, and nothing is sent.',
    response: { 200: Type.Null({ description: 'Taken note of.' }) },
    handle: async ({ reply }) => await reply.send(null),
  });
}
