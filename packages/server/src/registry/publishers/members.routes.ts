import {
  CreatedPublisherToken,
  Member,
  MemberRoleChange,
  NewMember,
  NewPublisherToken,
  PublisherToken,
} from '@atelier/contracts';
import { Type } from 'typebox';

import { actorOf } from '../../platform/http/actor.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { done, PublisherParams, TAGS as tags } from '../route-parts.ts';
import type { MembersService } from './members.service.ts';
import type { PublisherTokensService } from './publisher-tokens.service.ts';

interface Parts {
  readonly members: MembersService;
  readonly tokens: PublisherTokensService;
}

/** Who belongs to a publisher, and the tokens that publish in its name. */
export const membersRoutes: Routes<Parts> =
  ({ members, tokens }) =>
  async (app) => {
    const MemberParams = Type.Object({
      ...PublisherParams.properties,
      memberId: Type.String({ description: 'Id of the membership, not of the user.' }),
    });
    const TokenParams = Type.Object({
      ...PublisherParams.properties,
      tokenId: Type.String({ description: 'Id of the token, from the list.' }),
    });

    app.get(
      '/publishers/:publisherId/members',
      {
        config: { operation: 'registry.members.list', access: 'user', failures: [404] },
        schema: {
          summary: 'Members of a publisher',
          description: 'With their e-mail addresses. For owners of the publisher and administrators.',
          tags,
          params: PublisherParams,
          response: { 200: Type.Array(Member) },
        },
      },
      async (request) => await members.list(actorOf(request), request.params.publisherId),
    );

    app.post(
      '/publishers/:publisherId/members',
      {
        config: { operation: 'registry.members.add', access: 'user', failures: [404, 409] },
        schema: {
          summary: 'Add a member by e-mail',
          description:
            'There must be an account with the address: otherwise 404. An account that already owns five publishers can only become a `member`; administrators are exempt. For owners of the publisher and administrators.',
          tags,
          params: PublisherParams,
          body: NewMember,
          response: { 201: Member },
        },
      },
      async (request, reply) => {
        const { email, role } = request.body;
        const member = await members.add(actorOf(request), request.params.publisherId, email, role);
        return await reply.code(201).send(member);
      },
    );

    app.put(
      '/publishers/:publisherId/members/:memberId',
      {
        config: { operation: 'registry.members.role', access: 'user', failures: [404, 409] },
        schema: {
          summary: "Change a member's role",
          description:
            'Takes effect at once. The last owner cannot become a `member`: 409. For owners of the publisher and administrators.',
          tags,
          params: MemberParams,
          body: MemberRoleChange,
          response: { 200: Member },
        },
      },
      async (request) => {
        const { publisherId, memberId } = request.params;
        return await members.setRole(actorOf(request), publisherId, memberId, request.body.role);
      },
    );

    app.delete(
      '/publishers/:publisherId/members/:memberId',
      {
        config: { operation: 'registry.members.remove', access: 'user', failures: [404, 409] },
        schema: {
          summary: 'Remove a member',
          description:
            'Owners and administrators remove anyone, and every member may remove themselves. The last owner cannot leave: 409.',
          tags,
          params: MemberParams,
          response: done('Removed.'),
        },
      },
      async (request, reply) => {
        const { publisherId, memberId } = request.params;
        await members.remove(actorOf(request), publisherId, memberId);
        return await reply.code(204).send(null);
      },
    );

    app.get(
      '/publishers/:publisherId/tokens',
      {
        config: { operation: 'registry.tokens.list', access: 'user', failures: [404] },
        schema: {
          summary: 'Personal access tokens of a publisher, without their values',
          description:
            '`token` has the first four characters, to tell tokens apart. For owners of the publisher and administrators.',
          tags,
          params: PublisherParams,
          response: { 200: Type.Array(PublisherToken) },
        },
      },
      async (request) => await tokens.list(actorOf(request), request.params.publisherId),
    );

    app.post(
      '/publishers/:publisherId/tokens',
      {
        config: { operation: 'registry.tokens.create', access: 'user', failures: [404] },
        schema: {
          summary: 'Make a personal access token for publishing',
          description:
            'The value is shown in this answer only: the server keeps a hash. A token publishes versions in the name of the publisher and does nothing else, so it can be stored in a build server. For owners of the publisher and administrators.',
          tags,
          params: PublisherParams,
          body: NewPublisherToken,
          response: { 201: CreatedPublisherToken },
        },
      },
      async (request, reply) => {
        const token = await tokens.create(actorOf(request), request.params.publisherId, request.body);
        return await reply.code(201).send({ token });
      },
    );

    app.delete(
      '/publishers/:publisherId/tokens/:tokenId',
      {
        config: { operation: 'registry.tokens.delete', access: 'user', failures: [404] },
        schema: {
          summary: 'Delete a personal access token',
          description:
            'It no longer publishes from then on. Versions published with it stay. For owners of the publisher and administrators.',
          tags,
          params: TokenParams,
          response: done('Deleted.'),
        },
      },
      async (request, reply) => {
        await tokens.remove(actorOf(request), request.params.publisherId, request.params.tokenId);
        return await reply.code(204).send(null);
      },
    );
  };
