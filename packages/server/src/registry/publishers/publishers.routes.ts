import { CanEdit, NewPublisher, Publisher, PublisherChanges, RegistryUser } from '@atelier/contracts';
import { Type } from 'typebox';

import { actorOf } from '../../platform/http/actor.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { withoutNulls } from '../../platform/http/without-nulls.ts';
import {
  bodyOrNothing,
  done,
  OptionalReason,
  PageParameters,
  PublisherParams,
  reasonIn,
  TAGS as tags,
  toPage,
} from '../route-parts.ts';
import type { PublishersService } from './publishers.service.ts';

export const publishersRoutes: Routes<{ publishers: PublishersService }> =
  ({ publishers }) =>
  async (app) => {
    app.get(
      '/users',
      {
        config: { operation: 'registry.user', access: 'user' },
        schema: {
          summary: 'Who you are',
          description: 'For any account. `isApproved` is always true.',
          tags,
          response: { 200: RegistryUser },
        },
      },
      async (request) => {
        const { userId, name, email, role } = actorOf(request);
        return { id: userId, name, email, isAdmin: role === 'admin', isApproved: true };
      },
    );

    // Public clients use the form with the slash; it is not described, because there it counts as a slip.
    for (const [url, operation] of [
      ['/users/publishers', 'registry.user.publishers'],
      ['/users/publishers/', 'registry.user.publishers.slash'],
    ] as const) {
      app.get(
        url,
        {
          config: { operation, access: 'user' },
          schema: {
            summary: 'The publishers you belong to',
            description: 'As owner or as member, sorted by id, each with all its members.',
            tags,
            hide: url.endsWith('/'),
            response: { 200: Type.Array(Publisher) },
          },
        },
        async (request) => await publishers.listOwn(actorOf(request)),
      );
    }

    app.get(
      '/publishers/validate',
      {
        config: { operation: 'registry.publishers.validate', access: 'public' },
        schema: {
          summary: 'Whether a publisher id is free',
          description:
            'Answers 200 only for a free id. One that is missing, malformed or taken gets 400 with a message that can be shown beside the field.',
          tags,
          querystring: Type.Object({
            username: Type.String({ default: '', description: 'The id to check.' }),
          }),
          response: { 200: Type.Object({ isAvailable: Type.Boolean() }) },
        },
      },
      async (request) => {
        await publishers.assertAvailable(request.query.username);
        return { isAvailable: true };
      },
    );

    app.get(
      '/publishers',
      {
        config: { operation: 'registry.publishers.list', access: 'user' },
        schema: {
          summary: 'All publishers with their members',
          description:
            'Sorted by id. E-mail addresses of members are shown only in publishers that you belong to, and to administrators.',
          tags,
          querystring: Type.Object(PageParameters),
          response: { 200: Type.Array(Publisher) },
        },
      },
      async (request) => await publishers.list(actorOf(request), toPage(request.query, 100)),
    );

    app.post(
      '/publishers',
      {
        config: { operation: 'registry.publishers.create', access: 'user' },
        preValidation: withoutNulls,
        schema: {
          summary: 'Create a publisher and become its owner',
          description:
            'The id cannot be changed later. An account owns at most five publishers that it made; the next one gets 403. Administrators are exempt.',
          tags,
          body: NewPublisher,
          response: { 201: Publisher },
        },
      },
      async (request, reply) =>
        await reply.code(201).send(await publishers.create(actorOf(request), request.body)),
    );

    app.get(
      '/publishers/:publisherId',
      {
        config: { operation: 'registry.publishers.read', access: 'optional', failures: [404] },
        schema: {
          summary: 'One publisher with its members',
          description:
            'Needs no credential. Members of the publisher and administrators also see the e-mail addresses, and the reason of a ban.',
          tags,
          params: PublisherParams,
          response: { 200: Publisher },
        },
      },
      async (request) => await publishers.read(request.actor, request.params.publisherId),
    );

    app.put(
      '/publishers/:publisherId',
      {
        config: { operation: 'registry.publishers.update', access: 'user', failures: [404] },
        preValidation: withoutNulls,
        schema: {
          summary: 'Change what a publisher says of itself; what is absent stays',
          description: 'Its nodes show the change at once. For owners of the publisher and administrators.',
          tags,
          params: PublisherParams,
          body: PublisherChanges,
          response: { 200: Publisher },
        },
      },
      async (request) =>
        await publishers.update(actorOf(request), request.params.publisherId, toChanges(request.body)),
    );

    app.delete(
      '/publishers/:publisherId',
      {
        config: { operation: 'registry.publishers.delete', access: 'user', failures: [404, 409] },
        schema: {
          summary: 'Delete a publisher that has no nodes left',
          description:
            'Its tokens and memberships go with it. The id is free again only if the publisher never had a node. For owners of the publisher and administrators.',
          tags,
          params: PublisherParams,
          response: done('Deleted.'),
        },
      },
      async (request, reply) => {
        await publishers.remove(actorOf(request), request.params.publisherId);
        return await reply.code(204).send(null);
      },
    );

    app.get(
      '/publishers/:publisherId/permissions',
      {
        config: { operation: 'registry.publishers.permissions', access: 'user', failures: [404] },
        schema: {
          summary: 'Whether you may edit a publisher',
          description:
            'Never answers `false`: anyone who is neither an owner nor an administrator gets 403, and so do the owners of a banned publisher.',
          tags,
          params: PublisherParams,
          response: { 200: CanEdit },
        },
      },
      async (request) => {
        await publishers.assertMayEdit(actorOf(request), request.params.publisherId);
        return { canEdit: true };
      },
    );

    app.post(
      '/publishers/:publisherId/ban',
      {
        config: { operation: 'registry.publishers.ban', access: 'user', failures: [404] },
        schema: {
          summary: 'Ban a publisher and, through it, its nodes',
          description:
            'Its nodes get 403 when they are read, installed, downloaded or published and are in no list or search, and its owners cannot change anything. Members see the reason. For administrators.',
          tags: ['administration'],
          params: PublisherParams,
          body: OptionalReason,
          response: done('Banned.'),
        },
        preValidation: bodyOrNothing,
      },
      async (request, reply) => {
        await publishers.ban(actorOf(request), request.params.publisherId, reasonIn(request.body));
        return await reply.code(204).send(null);
      },
    );

    app.post(
      '/publishers/:publisherId/unban',
      {
        config: { operation: 'registry.publishers.unban', access: 'user', failures: [404] },
        schema: {
          summary: 'Lift the ban of a publisher',
          description:
            'Everything that the publisher had is back at once. Nodes and versions that were banned themselves stay banned. For administrators.',
          tags: ['administration'],
          params: PublisherParams,
          response: done('No longer banned.'),
        },
      },
      async (request, reply) => {
        await publishers.unban(actorOf(request), request.params.publisherId);
        return await reply.code(204).send(null);
      },
    );
  };

/** Clients send the whole publisher back; only these can be changed. */
function toChanges(body: PublisherChanges): PublisherChanges {
  const { name, description, logo, source_code_repo, support, website } = body;
  const all = { name, description, logo, source_code_repo, support, website };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
