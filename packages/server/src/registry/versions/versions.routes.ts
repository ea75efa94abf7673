import {
  AdminVersionChanges,
  AuditLog,
  BulkVersions,
  BulkVersionsQuery,
  NodeVersion,
  Publish,
  Published,
  ReviewRequest,
  VERSION_STATUSES,
  VersionChanges,
  VersionPage,
} from '@atelier/contracts';
import { Type } from 'typebox';

import { AppError } from '../../platform/errors/app-error.ts';
import { actorOf } from '../../platform/http/actor.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { withoutNulls } from '../../platform/http/without-nulls.ts';
import type { Audit } from '../audit/audit.service.ts';
import {
  bodyOrNothing,
  done,
  NodeParams,
  NumberParams,
  OwnVersionParams,
  PublisherNodeParams,
  repeatable,
  TAGS as tags,
  toList,
} from '../route-parts.ts';
import type { PublishService } from './publish.service.ts';
import { fromStatusWord, type VersionsService } from './versions.service.ts';

interface Parts {
  readonly publish: PublishService;
  readonly versions: VersionsService;
  readonly audit: Audit;
}

const Statuses = Type.Optional({
  ...repeatable(Type.Enum(VERSION_STATUSES, { type: 'string' })),
  description: 'Only versions in this status. May be repeated.',
});
const WithReason = Type.Optional(Type.Boolean({ description: 'Include the reason of the status.' }));
const VersionPageQuery = Type.Object({
  nodeId: Type.Optional(Type.String({ description: 'Only versions of the node with this id, in any case.' })),
  statuses: Statuses,
  include_status_reason: WithReason,
  status_reason: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only versions whose reason contains this text, in any case.',
    }),
  ),
  page: Type.Optional(Type.Integer({ default: 1, description: 'From 1.' })),
  pageSize: Type.Optional(Type.Integer({ default: 10, description: 'At most 100.' })),
});
const ADMINISTRATION = ['administration'];

export const versionsRoutes: Routes<Parts> =
  ({ publish, versions, audit }) =>
  async (app) => {
    app.post(
      '/publishers/:publisherId/nodes/:nodeId/versions',
      {
        config: { operation: 'registry.versions.publish', access: 'public', failures: [403] },
        preValidation: withoutNulls,
        schema: {
          summary: 'Publish a version with a personal access token; answers with the link for its archive',
          description:
            'Creates the node if there is none, and otherwise updates what the body says about it. The number is used up, even if the version is deleted later. Send the archive to `signedUrl` within 15 minutes; the version is pending until its checks are done.',
          tags,
          params: PublisherNodeParams,
          body: Publish,
          response: { 201: Published },
        },
      },
      async (request, reply) => {
        const { publisherId, nodeId } = request.params;
        return await reply.code(201).send(await publish(publisherId, nodeId, request.body));
      },
    );

    app.get(
      '/nodes/:nodeId/versions',
      {
        config: {
          operation: 'registry.versions.list',
          access: 'optional',
          failures: [403, 404],
          errorShape: { 404: 'details' },
        },
        schema: {
          summary: 'Versions of a node, newest first',
          description:
            'Deleted versions are left out unless `statuses` names them. With `include_status_reason=true`, members of the publisher and administrators also see versions that the checks refused.',
          tags,
          params: NodeParams,
          querystring: Type.Object({
            statuses: Statuses,
            include_status_reason: WithReason,
          }),
          response: { 200: Type.Array(NodeVersion) },
        },
      },
      async (request) =>
        await versions.list(request.actor, request.params.nodeId, {
          statuses: toStatuses(request.query.statuses),
          withReason: request.query.include_status_reason ?? false,
        }),
    );

    app.get(
      '/nodes/:nodeId/versions/:version',
      {
        config: {
          operation: 'registry.versions.read',
          access: 'optional',
          failures: [403, 404],
          errorShape: { 404: 'details' },
        },
        schema: {
          summary: 'One version by its number',
          description:
            'Members of the publisher and administrators also see the reason of its status, the report of the checks, and a version that the checks refused. Anyone else gets 404 for a deleted version.',
          tags,
          params: NumberParams,
          response: { 200: NodeVersion },
        },
      },
      async (request) => await versions.read(request.actor, request.params.nodeId, request.params.version),
    );

    app.put(
      '/publishers/:publisherId/nodes/:nodeId/versions/:versionId',
      {
        config: { operation: 'registry.versions.update', access: 'user', failures: [404] },
        preValidation: withoutNulls,
        schema: {
          summary: 'Change the changelog of a version, or deprecate it',
          description:
            '`deprecated` only marks the version: it can still be installed. For owners of the publisher and administrators.',
          tags,
          params: OwnVersionParams,
          body: VersionChanges,
          response: { 200: NodeVersion },
        },
      },
      async (request) => {
        const { changelog, deprecated } = request.body;
        const changes = {
          ...(changelog === undefined ? {} : { changelog }),
          ...(deprecated === undefined ? {} : { deprecated }),
        };
        return await versions.update(actorOf(request), toWhere(request.params), changes);
      },
    );

    app.delete(
      '/publishers/:publisherId/nodes/:nodeId/versions/:versionId',
      {
        config: {
          operation: 'registry.versions.delete',
          access: 'user',
          failures: [404],
          errorShape: { 404: 'details' },
        },
        schema: {
          summary: 'Delete a version; its number stays reserved',
          description:
            'When it was the latest, the next lower active version takes its place. A banned version can only be deleted by an administrator. For owners of the publisher and administrators.',
          tags,
          params: OwnVersionParams,
          response: done('Deleted.'),
        },
      },
      async (request, reply) => {
        await versions.remove(actorOf(request), toWhere(request.params));
        return await reply.code(204).send(null);
      },
    );

    app.post(
      '/publishers/:publisherId/nodes/:nodeId/versions/:versionId/request-review',
      {
        config: { operation: 'registry.versions.review', access: 'user', failures: [404, 409] },
        preValidation: bodyOrNothing,
        schema: {
          summary: 'Ask a person to look at a flagged or banned version',
          description:
            'A version in another state gets 409. Administrators find it with `review_requested=true` at `GET /admin/nodeversions`; `review_request` of the version is there until one of them has decided. For owners of the publisher and administrators.',
          tags,
          params: OwnVersionParams,
          body: ReviewRequest,
          response: { 200: NodeVersion },
        },
      },
      async (request) =>
        await versions.requestReview(actorOf(request), toWhere(request.params), request.body.note),
    );

    app.get(
      '/versions',
      {
        config: { operation: 'registry.versions.page', access: 'public' },
        schema: {
          summary: 'Versions of all nodes, newest first',
          description:
            'Deleted versions are left out unless `statuses` names them. Versions of nodes that are deleted, banned or of a banned publisher are never in it.',
          tags,
          querystring: VersionPageQuery,
          response: { 200: VersionPage },
        },
      },
      async (request) => {
        const { query } = request;
        return await versions.page(
          {
            packId: query.nodeId,
            statuses: toStatuses(query.statuses),
            reasonContains: query.status_reason,
          },
          { ...toVersionPage(query), withReason: query.include_status_reason ?? false },
        );
      },
    );

    app.post(
      '/bulk/nodes/versions',
      {
        config: { operation: 'registry.versions.bulk', access: 'public' },
        schema: {
          summary: 'Many versions by node and number',
          description:
            'At most 1,000 at once, answered in the order asked. What is unknown or not visible is `not_found`.',
          tags,
          body: BulkVersionsQuery,
          response: { 200: BulkVersions },
        },
      },
      async (request) => await versions.bulk(request.body),
    );

    app.put(
      '/admin/nodes/:nodeId/versions/:version',
      {
        config: { operation: 'admin.versions.decide', access: 'user', failures: [404, 409] },
        preValidation: withoutNulls,
        schema: {
          summary: 'Decide on a version',
          description:
            'A new `status` also settles a request for a review, and the latest version of the node follows. A deleted version stays deleted, none becomes pending again, and one without an archive cannot become active or flagged: 409. For administrators.',
          tags: ADMINISTRATION,
          params: NumberParams,
          body: AdminVersionChanges,
          response: { 200: NodeVersion },
        },
      },
      async (request) => {
        const { nodeId, version } = request.params;
        return await versions.decide(actorOf(request), nodeId, version, request.body);
      },
    );

    app.get(
      '/admin/nodeversions',
      {
        config: { operation: 'admin.versions.page', access: 'user' },
        schema: {
          summary: 'Versions of all nodes with their reasons',
          description:
            'Includes versions of banned nodes, and the reports of the checks. For administrators.',
          tags: ADMINISTRATION,
          querystring: Type.Object({
            ...VersionPageQuery.properties,
            include_deleted: Type.Optional(
              Type.Boolean({ description: 'Include deleted versions, unless `statuses` is given.' }),
            ),
            review_requested: Type.Optional(
              Type.Boolean({ description: 'Only those that wait for a person.' }),
            ),
          }),
          response: { 200: VersionPage },
        },
      },
      async (request) => {
        const { query } = request;
        const named = toStatuses(query.statuses);
        const all = VERSION_STATUSES.map((word) => fromStatusWord(word) ?? 'pending');
        const statuses = named.length === 0 && query.include_deleted ? all : named;
        return await versions.pageForAdmin(
          actorOf(request),
          {
            packId: query.nodeId,
            statuses,
            reasonContains: query.status_reason,
            reviewRequested: query.review_requested,
          },
          toVersionPage(query),
        );
      },
    );

    app.get(
      '/admin/audit',
      {
        config: { operation: 'admin.audit', access: 'user', session: true },
        schema: {
          summary: 'Who did what in the registry, newest first',
          description:
            'Creations, changes, publications, checks, bans, decisions and deletions, with their author. For administrators.',
          tags: ADMINISTRATION,
          querystring: Type.Object({
            subject: Type.Optional(
              Type.String({
                maxLength: 500,
                description: 'Such as `publisher:x/node:y`; includes what is below.',
              }),
            ),
            actor: Type.Optional(
              Type.String({
                maxLength: 200,
                description: 'Only entries by this author: `user:<id>`, `token:<id>` or `server`.',
              }),
            ),
            before: Type.Optional(
              Type.Integer({
                minimum: 1,
                maximum: Number.MAX_SAFE_INTEGER,
                description: 'The `next_before` of the page before.',
              }),
            ),
            limit: Type.Integer({
              minimum: 1,
              maximum: 500,
              default: 100,
              description: 'Entries on a page.',
            }),
          }),
          response: { 200: AuditLog },
        },
      },
      async (request) => await audit.list(actorOf(request), request.query),
    );
  };

function toStatuses(words: string | string[] | undefined) {
  return toList(words).flatMap((word) => fromStatusWord(word) ?? []);
}

function toWhere({
  publisherId,
  nodeId,
  versionId,
}: {
  publisherId: string;
  nodeId: string;
  versionId: string;
}) {
  return { publisherId, packId: nodeId, versionId };
}

function toVersionPage({ page = 1, pageSize = 10 }: { page?: number; pageSize?: number }) {
  if (pageSize > 100) {
    throw new AppError('request.invalid', `Invalid pageSize: ${pageSize}. The maximum allowed is 100.`);
  }
  return { page: Math.min(Math.max(page, 1), 1_000_000), pageSize: pageSize < 1 ? 10 : pageSize };
}
