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

import { AppError } from '../platform/errors/app-error.ts';
import { actorOf } from '../platform/http/actor.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { withoutNulls } from '../platform/http/without-nulls.ts';
import type { Audit } from './audit.service.ts';
import type { PublishService } from './publish.service.ts';
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
} from './route-parts.ts';
import { fromStatusWord, type VersionsService } from './versions.service.ts';

interface Parts {
  readonly publish: PublishService;
  readonly versions: VersionsService;
  readonly audit: Audit;
}

const Statuses = repeatable(Type.Enum(VERSION_STATUSES, { type: 'string' }));
const VersionPageQuery = Type.Object({
  nodeId: Type.Optional(Type.String()),
  statuses: Statuses,
  include_status_reason: Type.Optional(Type.Boolean()),
  status_reason: Type.Optional(Type.String({ maxLength: 200 })),
  page: Type.Optional(Type.Integer({ default: 1 })),
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
          tags,
          params: NodeParams,
          querystring: Type.Object({
            statuses: Statuses,
            include_status_reason: Type.Optional(Type.Boolean()),
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
          tags: ADMINISTRATION,
          querystring: Type.Object({
            ...VersionPageQuery.properties,
            include_deleted: Type.Optional(Type.Boolean()),
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
          tags: ADMINISTRATION,
          querystring: Type.Object({
            subject: Type.Optional(
              Type.String({
                maxLength: 500,
                description: 'Such as `publisher:x/node:y`; includes what is below.',
              }),
            ),
            actor: Type.Optional(Type.String({ maxLength: 200 })),
            before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
            limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
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
