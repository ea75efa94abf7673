import {
  NODE_SORT_COLUMNS,
  Node,
  NodeExport,
  NodePage,
  NodeVersion,
  VersionNumber,
} from '@atelier/contracts';
import { Type } from 'typebox';

import { invalid } from '../../platform/errors/app-error.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import type { InstallService } from '../archives/install.service.ts';
import {
  flag,
  optionalText,
  PageParameters,
  registryRoutes,
  repeatable,
  toList,
  toPage,
} from '../route-parts.ts';
import type { CatalogueService } from './catalogue.service.ts';
import { sendCached } from './send-cached.ts';

const SORT = `^(?:${NODE_SORT_COLUMNS.join('|')})(?:;(?:asc|desc))?$`;
const SORT_EXPECTS = `one of ${NODE_SORT_COLUMNS.join(', ')}, with ";desc" for the highest first`;

const Filters = {
  ...PageParameters,
  supported_os: optionalText('Only nodes that name this system, or none.', 100),
  supported_accelerator: optionalText('Only nodes that name this accelerator, or none.', 100),
  include_banned: Type.Optional(Type.Boolean({ default: false, description: 'Include banned nodes.' })),
};

const unchanged = Type.Null({ description: 'The caller has it already.' });
/** Cached answers skip the serializer: the schema only describes them. */
const cached = (schema: object) => Type.Unsafe<unknown>({ ...schema, description: 'Done.' });

export const catalogueRoutes: Routes<{ catalogue: CatalogueService; install: InstallService }> =
  ({ catalogue, install }) =>
  async (app) => {
    const route = registryRoutes(app);
    route('GET', '/nodes', {
      operation: 'registry.nodes.list',
      access: 'public',
      summary: 'List nodes',
      description:
        'Oldest first unless sorted, so new nodes do not shift the pages. Deleted nodes are never listed. With the `ETag` of an answer in `If-None-Match` you get 304 until something changes.',
      query: {
        ...Filters,
        timestamp: Type.Optional(
          Type.String({ format: 'date-time', description: 'Only what was created or changed after it.' }),
        ),
        latest: flag('Download counts of this moment; otherwise they may be a minute old.'),
        sort: Type.Optional({
          ...repeatable(Type.String({ pattern: SORT, expects: SORT_EXPECTS })),
          description: 'A column, with `;desc` for the highest first. May be repeated.',
        }),
        node_id: Type.Optional({
          ...repeatable(Type.String({ maxLength: 100 })),
          description: 'Only the node with this id, in any case. May be repeated, up to 200 times.',
        }),
        comfyui_version: optionalText('Accepted and not used.'),
        form_factor: optionalText('Accepted and not used.'),
      },
      response: { 200: cached(NodePage), 304: unchanged },
      handle: async ({ query, request, reply }) => {
        const ids = toList(query.node_id);
        const wanted = {
          ...toPage(query),
          ...toFilter(query),
          sort: toList(query.sort),
          ids: ids.length > 0 ? ids : undefined,
          since: query.timestamp === undefined ? undefined : toTime(query.timestamp),
        };
        const answer = await catalogue.list(wanted, { latest: query.latest ?? false });
        return await sendCached(request, reply, answer);
      },
    });

    route('GET', '/nodes/search', {
      operation: 'registry.nodes.search',
      access: 'public',
      summary: 'Search nodes by words, repository or the name of an inner node',
      description:
        'All words must match, from the beginning of a word and regardless of case and accents; a hit in the id or name ranks above one in the description. Without any query it finds every node.',
      query: {
        ...Filters,
        search: optionalText(
          'Words of the id, name, description, author, publisher, tags or inner nodes.',
          500,
        ),
        repository_url_search: optionalText('Address of a repository, in any spelling.', 2000),
        comfy_node_search: optionalText('The beginning of the name of an inner node.', 500),
      },
      response: { 200: cached(NodePage), 304: unchanged },
      handle: async ({ query, request, reply }) => {
        const answer = await catalogue.search({
          ...toPage(query),
          ...toFilter(query),
          search: query.search,
          repositoryUrl: query.repository_url_search,
          innerNode: query.comfy_node_search,
        });
        return await sendCached(request, reply, answer);
      },
    });

    route('GET', '/nodes/export', {
      operation: 'registry.nodes.export',
      access: 'public',
      summary: 'The whole catalogue in one answer, compressed for clients that accept gzip',
      description:
        'The same nodes as all pages of `GET /nodes` together, without banned ones. To keep a copy current, send the `ETag` in `If-None-Match`: 304 means nothing has changed.',
      response: { 200: cached(NodeExport), 304: unchanged },
      handle: async ({ request, reply }) => await sendCached(request, reply, await catalogue.export()),
    });

    route('GET', '/nodes/:nodeId', {
      operation: 'registry.nodes.read',
      access: 'public',
      failures: [403, 404],
      summary: 'One node',
      description:
        '`latest_version` is the newest active version, and absent when there is none. A banned node, or one of a banned publisher, gets 403.',
      query: { include_translations: flag('Include the translations.') },
      response: {
        200: cached(Node),
        302: Type.Null({ description: 'The id is spelled with another case; see Location.' }),
        304: unchanged,
      },
      handle: async ({ params, query, request, reply }) => {
        const { include_translations: withTranslations = false } = query;
        const answer = await catalogue.read(params.nodeId, { withTranslations });
        if (answer.movedTo === undefined) return await sendCached(request, reply, answer);
        const search = withTranslations ? '?include_translations=true' : '';
        return await reply.redirect(`/nodes/${encodeURIComponent(answer.movedTo)}${search}`, 302);
      },
    });

    route('GET', '/nodes/:nodeId/install', {
      // A HEAD request is not a download.
      exposeHeadRoute: false,
      operation: 'registry.nodes.install',
      access: 'public',
      failures: [403, 404],
      summary: 'The version to install; counts as a download',
      description:
        'Answers with the `downloadUrl` of the archive. Flagged versions are found only by their number; pending and deleted ones get 404, banned ones 403.',
      query: {
        version: Type.Optional({ ...VersionNumber, description: 'Default: the newest active one.' }),
      },
      response: { 200: NodeVersion },
      handle: async ({ params, query }) => await install.install(params.nodeId, query.version),
    });

    route('GET', '/publishers/:publisherId/nodes', {
      operation: 'registry.publishers.nodes',
      access: 'public',
      failures: [404],
      summary: 'All nodes of a publisher',
      description: 'A bare array, oldest first. For a publisher with many nodes use `/nodes/v2`.',
      query: { include_banned: Filters.include_banned },
      response: { 200: Type.Array(Node) },
      handle: async ({ params, query }) => {
        await catalogue.assertPublisher(params.publisherId);
        return await catalogue.ofPublisher(params.publisherId, query.include_banned ?? false);
      },
    });

    route('GET', '/publishers/:publisherId/nodes/v2', {
      operation: 'registry.publishers.nodes.page',
      access: 'public',
      failures: [404],
      summary: 'Nodes of a publisher, page by page',
      description: 'The same nodes as `/nodes`, in the form of `GET /nodes`, and with an `ETag` like it.',
      query: { ...PageParameters, include_banned: Filters.include_banned },
      response: { 200: cached(NodePage), 304: unchanged },
      handle: async ({ params, query, request, reply }) => {
        await catalogue.assertPublisher(params.publisherId);
        const answer = await catalogue.list({
          ...toPage(query),
          publisherId: params.publisherId,
          includeBanned: query.include_banned ?? false,
          sort: [],
        });
        return await sendCached(request, reply, answer);
      },
    });
  };

/** The format allows leap seconds, which have no time of their own. */
function toTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalid(`"${text}" is not a time such as 2026-01-31T12:00:00Z.`);
  return time;
}

function toFilter(query: {
  supported_os?: string;
  supported_accelerator?: string;
  include_banned?: boolean;
}) {
  const { supported_os: supportedOs, supported_accelerator: supportedAccelerator } = query;
  return { supportedOs, supportedAccelerator, includeBanned: query.include_banned ?? false };
}
