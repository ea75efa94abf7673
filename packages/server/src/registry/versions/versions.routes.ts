import {
  AdminVersionChanges,
  BulkVersions,
  BulkVersionsQuery,
  NodeVersion,
  Publish,
  Published,
  Readme,
  ReviewRequest,
  VERSION_STATUSES,
  VersionChanges,
  VersionPage,
} from '@atelier/contracts';
import { Type } from 'typebox';

import { invalid } from '../../platform/errors/app-error.ts';
import { done } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { withoutNulls } from '../../platform/http/without-nulls.ts';
import { bodyOrNothing, flag, optionalText, registryRoutes, repeatable, toList } from '../route-parts.ts';
import type { PublishService } from './publish.service.ts';
import { fromStatusWord, type VersionsService } from './versions.service.ts';

const Statuses = Type.Optional({
  ...repeatable(Type.Enum(VERSION_STATUSES, { type: 'string' })),
  description: 'Only versions in this status. May be repeated.',
});
const WithReason = flag('Include the reason of the status.');
const VersionPageQuery = {
  nodeId: optionalText('Only versions of the node with this id, in any case.'),
  statuses: Statuses,
  include_status_reason: WithReason,
  status_reason: optionalText('Only versions whose reason contains this text, in any case.', 200),
  page: Type.Optional(Type.Integer({ default: 1, description: 'From 1.' })),
  pageSize: Type.Optional(Type.Integer({ default: 10, description: 'At most 100.' })),
};

export const versionsRoutes: Routes<{ publish: PublishService; versions: VersionsService }> =
  ({ publish, versions }) =>
  async (app) => {
    const route = registryRoutes(app);
    route('POST', '/publishers/:publisherId/nodes/:nodeId/versions', {
      operation: 'registry.versions.publish',
      needsSpace: true,
      access: 'public',
      failures: [403],
      preValidation: withoutNulls,
      summary: 'Publish a version with a personal access token; answers with the link for its archive',
      description:
        'Creates the node if there is none, and otherwise updates what the body says about it. The number is used up, even if the version is deleted later. Send the archive to `signedUrl` within 15 minutes; the version is pending until its checks are done.',
      body: Publish,
      response: { 201: Published },
      handle: async ({ params, body }) => await publish(params.publisherId, params.nodeId, body),
    });

    route('GET', '/nodes/:nodeId/versions', {
      operation: 'registry.versions.list',
      access: 'optional',
      failures: [403, 404],
      errorShape: { 404: 'details' },
      summary: 'Versions of a node, newest first',
      description:
        'Deleted versions are left out unless `statuses` names them. With `include_status_reason=true`, members of the publisher and administrators also see versions that the checks refused.',
      query: { statuses: Statuses, include_status_reason: WithReason },
      response: { 200: Type.Array(NodeVersion) },
      handle: async ({ actor, params, query }) =>
        await versions.list(actor, params.nodeId, {
          statuses: toStatuses(query.statuses),
          withReason: query.include_status_reason ?? false,
        }),
    });

    route('GET', '/nodes/:nodeId/versions/:version', {
      operation: 'registry.versions.read',
      access: 'optional',
      failures: [403, 404],
      errorShape: { 404: 'details' },
      summary: 'One version by its number',
      description:
        'Members of the publisher and administrators also see the reason of its status, the report of the checks, and a version that the checks refused. Anyone else gets 404 for a deleted version.',
      response: { 200: NodeVersion },
      handle: async ({ actor, params }) => await versions.read(actor, params.nodeId, params.version),
    });

    route('GET', '/nodes/:nodeId/versions/:version/readme', {
      operation: 'registry.versions.readme',
      access: 'optional',
      failures: [403, 404],
      summary: 'The README of a version',
      description:
        'The text of `README.md` in the root of the archive, as its author wrote it: show nothing of it as markup of your own page. Absent where the archive has none.',
      response: { 200: Readme },
      handle: async ({ actor, params }) => await versions.readme(actor, params.nodeId, params.version),
    });

    route('PUT', '/publishers/:publisherId/nodes/:nodeId/versions/:versionId', {
      operation: 'registry.versions.update',
      failures: [404],
      preValidation: withoutNulls,
      summary: 'Change the changelog of a version, or deprecate it',
      description:
        '`deprecated` only marks the version: it can still be installed. For owners of the publisher and administrators.',
      body: VersionChanges,
      response: { 200: NodeVersion },
      handle: async ({ actor, params, body }) => await versions.update(actor, params, body),
    });

    route('DELETE', '/publishers/:publisherId/nodes/:nodeId/versions/:versionId', {
      operation: 'registry.versions.delete',
      failures: [404],
      errorShape: { 404: 'details' },
      summary: 'Delete a version; its number stays reserved',
      description:
        'When it was the latest, the next lower active version takes its place. A banned version can only be deleted by an administrator. For owners of the publisher and administrators.',
      response: done('Deleted.'),
      handle: async ({ actor, params }) => await versions.remove(actor, params),
    });

    route('POST', '/publishers/:publisherId/nodes/:nodeId/versions/:versionId/request-review', {
      operation: 'registry.versions.review',
      failures: [404, 409],
      preValidation: bodyOrNothing,
      summary: 'Ask a person to look at a flagged or banned version',
      description:
        'A version in another state gets 409. Administrators find it with `review_requested=true` at `GET /admin/nodeversions`; `review_request` of the version is there until one of them has decided. For owners of the publisher and administrators.',
      body: ReviewRequest,
      response: { 200: NodeVersion },
      handle: async ({ actor, params, body }) => await versions.requestReview(actor, params, body.note),
    });

    route('GET', '/versions', {
      operation: 'registry.versions.page',
      access: 'public',
      summary: 'Versions of all nodes, newest first',
      description:
        'Deleted versions are left out unless `statuses` names them. Versions of nodes that are deleted, banned or of a banned publisher are never in it.',
      query: VersionPageQuery,
      response: { 200: VersionPage },
      handle: async ({ query }) =>
        await versions.page(toVersionFilter(query), {
          ...toVersionPage(query),
          withReason: query.include_status_reason ?? false,
        }),
    });

    route('POST', '/bulk/nodes/versions', {
      operation: 'registry.versions.bulk',
      access: 'public',
      summary: 'Many versions by node and number',
      description:
        'At most 1,000 at once, answered in the order asked. What is unknown or not visible is `not_found`.',
      body: BulkVersionsQuery,
      response: { 200: BulkVersions },
      handle: async ({ body }) => await versions.bulk(body),
    });

    route('PUT', '/admin/nodes/:nodeId/versions/:version', {
      operation: 'admin.versions.decide',
      failures: [404, 409],
      preValidation: withoutNulls,
      summary: 'Decide on a version',
      description:
        'A new `status` also settles a request for a review, and the latest version of the node follows. A deleted version stays deleted, none becomes pending again, and one without an archive cannot become active or flagged: 409. For administrators.',
      tag: 'administration',
      body: AdminVersionChanges,
      response: { 200: NodeVersion },
      handle: async ({ actor, params, body }) =>
        await versions.decide(actor, params.nodeId, params.version, body),
    });

    route('GET', '/admin/nodeversions', {
      operation: 'admin.versions.page',
      summary: 'Versions of all nodes with their reasons',
      description: 'Includes versions of banned nodes, and the reports of the checks. For administrators.',
      tag: 'administration',
      query: {
        ...VersionPageQuery,
        include_deleted: flag('Include deleted versions, unless `statuses` is given.'),
        review_requested: flag('Only those that wait for a person.'),
      },
      response: { 200: VersionPage },
      handle: async ({ actor, query }) => {
        const filter = { ...toVersionFilter(query), reviewRequested: query.review_requested };
        const all = VERSION_STATUSES.map((word) => fromStatusWord(word) ?? 'pending');
        const statuses = filter.statuses.length === 0 && query.include_deleted ? all : filter.statuses;
        return await versions.pageForAdmin(actor, { ...filter, statuses }, toVersionPage(query));
      },
    });
  };

function toStatuses(words: string | string[] | undefined) {
  return toList(words).flatMap((word) => fromStatusWord(word) ?? []);
}

function toVersionFilter(query: { nodeId?: string; statuses?: string | string[]; status_reason?: string }) {
  const statuses = toStatuses(query.statuses);
  return { packId: query.nodeId, statuses, reasonContains: query.status_reason };
}

function toVersionPage({ page = 1, pageSize = 10 }: { page?: number; pageSize?: number }) {
  if (pageSize > 100) throw invalid(`Invalid pageSize: ${pageSize}. The maximum allowed is 100.`);
  return { page: Math.min(Math.max(page, 1), 1_000_000), pageSize: pageSize < 1 ? 10 : pageSize };
}
