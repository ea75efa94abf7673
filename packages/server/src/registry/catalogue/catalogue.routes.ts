import { NODE_SORT_COLUMNS, Node, NodePage, NodeVersion, VersionNumber } from '@atelier/contracts';
import { Type } from 'typebox';

import { AppError } from '../../platform/errors/app-error.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import type { InstallService } from '../archives/install.service.ts';
import {
  NodeParams,
  PageParameters,
  PublisherParams,
  repeatable,
  TAGS as tags,
  toList,
  toPage,
} from '../route-parts.ts';
import type { CatalogueService } from './catalogue.service.ts';
import { sendRendered } from './send-rendered.ts';

interface Parts {
  readonly catalogue: CatalogueService;
  readonly install: InstallService;
}

const SORT = `^(?:${NODE_SORT_COLUMNS.join('|')})(?:;(?:asc|desc))?$`;
const SORT_EXPECTS = `one of ${NODE_SORT_COLUMNS.join(', ')}, with ";desc" for the highest first`;

const Filters = {
  ...PageParameters,
  supported_os: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only nodes that name this system, or none.' }),
  ),
  supported_accelerator: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only nodes that name this accelerator, or none.' }),
  ),
  include_banned: Type.Optional(Type.Boolean({ default: false, description: 'Include banned nodes.' })),
};

const unchanged = Type.Null({ description: 'The caller has it already.' });
/** Rendered answers pass no serializer: the schema only describes them. */
const rendered = (schema: object) => Type.Unsafe<unknown>({ ...schema, description: 'Done.' });

/** Reading packs: open to everybody. */
export const catalogueRoutes: Routes<Parts> =
  ({ catalogue, install }) =>
  async (app) => {
    app.get(
      '/nodes',
      {
        config: { operation: 'registry.nodes.list', access: 'public' },
        schema: {
          summary: 'List nodes',
          description:
            'Oldest first unless sorted, so new nodes do not shift the pages. Deleted nodes are never listed. With the `ETag` of an answer in `If-None-Match` you get 304 until something changes.',
          tags,
          querystring: Type.Object({
            ...Filters,
            timestamp: Type.Optional(
              Type.String({ format: 'date-time', description: 'Only what was created or changed after it.' }),
            ),
            latest: Type.Optional(
              Type.Boolean({
                description: 'Download counts of this moment; otherwise they may be a minute old.',
              }),
            ),
            sort: Type.Optional({
              ...repeatable(Type.String({ pattern: SORT, expects: SORT_EXPECTS })),
              description: 'A column, with `;desc` for the highest first. May be repeated.',
            }),
            node_id: Type.Optional({
              ...repeatable(Type.String({ maxLength: 100 })),
              description: 'Only the node with this id, in any case. May be repeated, up to 200 times.',
            }),
            comfyui_version: Type.Optional(Type.String({ description: 'Accepted and not used.' })),
            form_factor: Type.Optional(Type.String({ description: 'Accepted and not used.' })),
          }),
          response: { 200: rendered(NodePage), 304: unchanged },
        },
      },
      async (request, reply) => {
        const { query } = request;
        const ids = toList(query.node_id);
        const wanted = {
          ...toPage(query),
          ...toFilter(query),
          sort: toList(query.sort),
          ids: ids.length > 0 ? ids : undefined,
          since: query.timestamp === undefined ? undefined : toTime(query.timestamp),
        };
        const answer = await catalogue.list(wanted, { anew: query.latest ?? false });
        return await sendRendered(request, reply, answer);
      },
    );

    app.get(
      '/nodes/search',
      {
        config: { operation: 'registry.nodes.search', access: 'public' },
        schema: {
          summary: 'Search nodes by words, repository or the name of an inner node',
          description:
            'All words must match, from the beginning of a word and regardless of case and accents; a hit in the id or name ranks above one in the description. Without any query it finds every node.',
          tags,
          querystring: Type.Object({
            ...Filters,
            search: Type.Optional(
              Type.String({
                maxLength: 500,
                description: 'Words of the id, name, description, author, publisher, tags or inner nodes.',
              }),
            ),
            repository_url_search: Type.Optional(
              Type.String({ maxLength: 2000, description: 'Address of a repository, in any spelling.' }),
            ),
            comfy_node_search: Type.Optional(
              Type.String({ maxLength: 500, description: 'The beginning of the name of an inner node.' }),
            ),
          }),
          response: { 200: rendered(NodePage), 304: unchanged },
        },
      },
      async (request, reply) => {
        const { query } = request;
        const answer = await catalogue.search({
          ...toPage(query),
          ...toFilter(query),
          search: query.search,
          repositoryUrl: query.repository_url_search,
          innerNode: query.comfy_node_search,
        });
        return await sendRendered(request, reply, answer);
      },
    );

    app.get(
      '/nodes/export',
      {
        config: { operation: 'registry.nodes.export', access: 'public' },
        schema: {
          summary: 'The whole catalogue in one answer, compressed for who takes gzip',
          description:
            'The same nodes as all pages of `GET /nodes` together, without banned ones. To keep a copy current, send the `ETag` in `If-None-Match`: 304 means nothing has changed.',
          tags,
          response: {
            200: rendered(
              Type.Object({
                revision: Type.Integer(),
                total: Type.Integer(),
                nodes: Type.Array(Node),
              }),
            ),
            304: unchanged,
          },
        },
      },
      async (request, reply) => await sendRendered(request, reply, await catalogue.export()),
    );

    app.get(
      '/nodes/:nodeId',
      {
        config: { operation: 'registry.nodes.read', access: 'public', failures: [403, 404] },
        schema: {
          summary: 'One node',
          description:
            '`latest_version` is the newest active version, and absent when there is none. A banned node, or one of a banned publisher, gets 403.',
          tags,
          params: NodeParams,
          querystring: Type.Object({
            include_translations: Type.Optional(Type.Boolean({ description: 'Include the translations.' })),
          }),
          response: {
            200: rendered(Node),
            302: Type.Null({ description: 'The id is spelled with another case; see Location.' }),
            304: unchanged,
          },
        },
      },
      async (request, reply) => {
        const { include_translations: withTranslations = false } = request.query;
        const answer = await catalogue.read(request.params.nodeId, { withTranslations });
        if (!('moved' in answer)) return await sendRendered(request, reply, answer);
        const query = withTranslations ? '?include_translations=true' : '';
        return await reply.redirect(`/nodes/${encodeURIComponent(answer.moved)}${query}`, 302);
      },
    );

    app.get(
      '/nodes/:nodeId/install',
      {
        // Asking for the headers is no download.
        exposeHeadRoute: false,
        config: { operation: 'registry.nodes.install', access: 'public', failures: [403, 404] },
        schema: {
          summary: 'The version to install; counts as a download',
          description:
            'Answers with the `downloadUrl` of the archive. Flagged versions are found only by their number; pending and deleted ones get 404, banned ones 403.',
          tags,
          params: NodeParams,
          querystring: Type.Object({
            version: Type.Optional({ ...VersionNumber, description: 'Default: the newest active one.' }),
          }),
          response: { 200: NodeVersion },
        },
      },
      async (request) => await install.install(request.params.nodeId, request.query.version),
    );

    app.get(
      '/publishers/:publisherId/nodes',
      {
        config: { operation: 'registry.publishers.nodes', access: 'public', failures: [404] },
        schema: {
          summary: 'All nodes of a publisher',
          description: 'A bare array, oldest first. For a publisher with many nodes use `/nodes/v2`.',
          tags,
          params: PublisherParams,
          querystring: Type.Object({ include_banned: Filters.include_banned }),
          response: { 200: Type.Array(Node) },
        },
      },
      async (request) => {
        const { publisherId } = request.params;
        await catalogue.assertPublisher(publisherId);
        return await catalogue.ofPublisher(publisherId, request.query.include_banned ?? false);
      },
    );

    app.get(
      '/publishers/:publisherId/nodes/v2',
      {
        config: { operation: 'registry.publishers.nodes.page', access: 'public', failures: [404] },
        schema: {
          summary: 'Nodes of a publisher, page by page',
          description: 'The same nodes as `/nodes`, in the form of `GET /nodes`, and with an `ETag` like it.',
          tags,
          params: PublisherParams,
          querystring: Type.Object({ ...PageParameters, include_banned: Filters.include_banned }),
          response: { 200: rendered(NodePage), 304: unchanged },
        },
      },
      async (request, reply) => {
        await catalogue.assertPublisher(request.params.publisherId);
        const answer = await catalogue.list({
          ...toPage(request.query),
          publisherId: request.params.publisherId,
          includeBanned: request.query.include_banned ?? false,
          sort: [],
        });
        return await sendRendered(request, reply, answer);
      },
    );
  };

/** What has the form of a time may still be none that can be told from the one before it, such as a leap second. */
function toTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) {
    throw new AppError('request.invalid', `"${text}" is no time such as 2026-01-31T12:00:00Z.`);
  }
  return time;
}

function toFilter(query: {
  supported_os?: string;
  supported_accelerator?: string;
  include_banned?: boolean;
}) {
  return {
    supportedOs: query.supported_os,
    supportedAccelerator: query.supported_accelerator,
    includeBanned: query.include_banned ?? false,
  };
}
