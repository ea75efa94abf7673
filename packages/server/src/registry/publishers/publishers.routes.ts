import { CanEdit, NewPublisher, Publisher, PublisherChanges, RegistryUser } from '@atelier/contracts';
import { Type } from 'typebox';

import { done } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { withoutNulls } from '../../platform/http/without-nulls.ts';
import {
  bodyOrNothing,
  MAX_LIMIT,
  OptionalReason,
  pageParameters,
  reasonIn,
  registryRoutes,
  toPage,
} from '../route-parts.ts';
import type { PublishersService } from './publishers.service.ts';

export const publishersRoutes: Routes<{ publishers: PublishersService }> =
  ({ publishers }) =>
  async (app) => {
    const route = registryRoutes(app);
    route('GET', '/users', {
      operation: 'registry.user',
      summary: 'Who you are',
      description: 'For any account. `isApproved` is always true.',
      response: { 200: RegistryUser },
      handle: async ({ actor }) => {
        const { userId, name, email, role } = actor;
        return { id: userId, name, email, isAdmin: role === 'admin', isApproved: true };
      },
    });

    // Public clients use the form with the slash; it is not described, because there it counts as a slip.
    for (const [url, operation] of [
      ['/users/publishers', 'registry.user.publishers'],
      ['/users/publishers/', 'registry.user.publishers.slash'],
    ] as const) {
      route('GET', url, {
        operation,
        summary: 'The publishers you belong to',
        description: 'As owner or as member, sorted by id, each with all its members.',
        hide: url.endsWith('/'),
        response: { 200: Type.Array(Publisher) },
        handle: async ({ actor }) => await publishers.listOwn(actor),
      });
    }

    route('GET', '/publishers/validate', {
      operation: 'registry.publishers.validate',
      access: 'public',
      summary: 'Whether a publisher id is free',
      description:
        'Answers 200 only for a free id. One that is missing, malformed or taken gets 400 with a message that can be shown beside the field.',
      query: { username: Type.String({ default: '', description: 'The id to check.' }) },
      response: { 200: Type.Object({ isAvailable: Type.Boolean() }) },
      handle: async ({ query }) => {
        await publishers.assertAvailable(query.username);
        return { isAvailable: true };
      },
    });

    route('GET', '/publishers', {
      operation: 'registry.publishers.list',
      summary: 'All publishers with their members',
      description:
        'Sorted by id, up to 1,000 on a page. E-mail addresses of members are shown only in publishers that you belong to, and to administrators.',
      query: pageParameters(MAX_LIMIT),
      response: { 200: Type.Array(Publisher) },
      handle: async ({ actor, query }) => await publishers.list(actor, toPage(query, MAX_LIMIT)),
    });

    route('POST', '/publishers', {
      operation: 'registry.publishers.create',
      preValidation: withoutNulls,
      summary: 'Create a publisher and become its owner',
      description:
        'The id cannot be changed later. An account owns at most five publishers that it made; the next one gets 403. Administrators are exempt.',
      body: NewPublisher,
      response: { 201: Publisher },
      handle: async ({ actor, body }) => await publishers.create(actor, body),
    });

    route('GET', '/publishers/:publisherId', {
      operation: 'registry.publishers.read',
      access: 'optional',
      failures: [404],
      summary: 'One publisher with its members',
      description:
        'Needs no credential. Members of the publisher and administrators also see the e-mail addresses, and the reason of a ban.',
      response: { 200: Publisher },
      handle: async ({ actor, params }) => await publishers.read(actor, params.publisherId),
    });

    route('PUT', '/publishers/:publisherId', {
      operation: 'registry.publishers.update',
      failures: [404],
      preValidation: withoutNulls,
      summary: 'Change what a publisher says of itself; what is absent stays',
      description: 'Its nodes show the change at once. For owners of the publisher and administrators.',
      body: PublisherChanges,
      response: { 200: Publisher },
      handle: async ({ actor, params, body }) => await publishers.update(actor, params.publisherId, body),
    });

    route('DELETE', '/publishers/:publisherId', {
      operation: 'registry.publishers.delete',
      failures: [404, 409],
      summary: 'Delete a publisher that has no nodes left',
      description:
        'Its tokens and memberships go with it. The id is free again only if the publisher never had a node. For owners of the publisher and administrators.',
      response: done('Deleted.'),
      handle: async ({ actor, params }) => await publishers.remove(actor, params.publisherId),
    });

    route('GET', '/publishers/:publisherId/permissions', {
      operation: 'registry.publishers.permissions',
      failures: [404],
      summary: 'Whether you may edit a publisher',
      description:
        'Never answers `false`: anyone who is neither an owner nor an administrator gets 403, and so do the owners of a banned publisher.',
      response: { 200: CanEdit },
      handle: async ({ actor, params }) => {
        await publishers.assertMayEdit(actor, params.publisherId);
        return { canEdit: true };
      },
    });

    route('POST', '/publishers/:publisherId/ban', {
      operation: 'registry.publishers.ban',
      failures: [404],
      summary: 'Ban a publisher and, through it, its nodes',
      description:
        'Its nodes get 403 when they are read, installed, downloaded or published and are in no list or search, and its owners cannot change anything. Members see the reason. For administrators.',
      tag: 'administration',
      body: OptionalReason,
      response: done('Banned.'),
      preValidation: bodyOrNothing,
      handle: async ({ actor, params, body }) =>
        await publishers.setBan(actor, params.publisherId, reasonIn(body)),
    });

    route('POST', '/publishers/:publisherId/unban', {
      operation: 'registry.publishers.unban',
      failures: [404],
      summary: 'Lift the ban of a publisher',
      description:
        'Everything that the publisher had is back at once. Nodes and versions that were banned themselves stay banned. For administrators.',
      tag: 'administration',
      response: done('No longer banned.'),
      handle: async ({ actor, params }) => await publishers.setBan(actor, params.publisherId, null),
    });
  };
