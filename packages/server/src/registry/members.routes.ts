import {
  CreatedPublisherToken,
  Member,
  MemberRoleChange,
  NewMember,
  NewPublisherToken,
  PublisherToken,
} from '@atelier/contracts';
import { Type } from 'typebox';

import { actorOf } from '../platform/http/actor.ts';
import type { Routes } from '../platform/http/route-config.ts';
import type { MembersService } from './members.service.ts';
import type { PublisherTokensService } from './publisher-tokens.service.ts';
import { done, PublisherParams, TAGS as tags } from './route-parts.ts';

interface Parts {
  readonly members: MembersService;
  readonly tokens: PublisherTokensService;
}

/** Who belongs to a publisher, and the tokens that publish in its name. */
export const membersRoutes: Routes<Parts> =
  ({ members, tokens }) =>
  async (app) => {
    const MemberParams = Type.Object({ publisherId: Type.String(), memberId: Type.String() });
    const TokenParams = Type.Object({ publisherId: Type.String(), tokenId: Type.String() });

    app.get(
      '/publishers/:publisherId/members',
      {
        config: { operation: 'registry.members.list', access: 'user', failures: [404] },
        schema: {
          summary: 'Members of a publisher',
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
        schema: { summary: 'Remove a member', tags, params: MemberParams, response: done('Removed.') },
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
