import {
  CreatedPublisherToken,
  Member,
  MemberRoleChange,
  NewMember,
  NewPublisherToken,
  PublisherToken,
} from '@atelier/contracts';
import { Type } from 'typebox';

import { done } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { registryRoutes } from '../route-parts.ts';
import type { MembersService } from './members.service.ts';
import type { PublisherTokensService } from './publisher-tokens.service.ts';

export const membersRoutes: Routes<{ members: MembersService; tokens: PublisherTokensService }> =
  ({ members, tokens }) =>
  async (app) => {
    const route = registryRoutes(app);
    route('GET', '/publishers/:publisherId/members', {
      operation: 'registry.members.list',
      failures: [404],
      summary: 'Members of a publisher',
      description: 'With their e-mail addresses. For owners of the publisher and administrators.',
      response: { 200: Type.Array(Member) },
      handle: async ({ actor, params }) => await members.list(actor, params.publisherId),
    });

    route('POST', '/publishers/:publisherId/members', {
      operation: 'registry.members.add',
      failures: [404, 409],
      summary: 'Add a member by e-mail',
      description:
        'There must be an account with the address: otherwise 404. An account that already owns five publishers can only become a `member`; administrators are exempt. For owners of the publisher and administrators.',
      body: NewMember,
      response: { 201: Member },
      handle: async ({ actor, params, body: { email, role } }) =>
        await members.add(actor, params.publisherId, email, role),
    });

    route('PUT', '/publishers/:publisherId/members/:memberId', {
      operation: 'registry.members.role',
      failures: [404, 409],
      summary: "Change a member's role",
      description:
        'Takes effect at once. The last owner cannot become a `member`: 409. For owners of the publisher and administrators.',
      body: MemberRoleChange,
      response: { 200: Member },
      handle: async ({ actor, params: { publisherId, memberId }, body }) =>
        await members.setRole(actor, publisherId, memberId, body.role),
    });

    route('DELETE', '/publishers/:publisherId/members/:memberId', {
      operation: 'registry.members.remove',
      failures: [404, 409],
      summary: 'Remove a member',
      description:
        'Owners and administrators remove anyone, and every member may remove themselves. The last owner cannot leave: 409.',
      response: done('Removed.'),
      handle: async ({ actor, params: { publisherId, memberId } }) =>
        await members.remove(actor, publisherId, memberId),
    });

    route('GET', '/publishers/:publisherId/tokens', {
      operation: 'registry.tokens.list',
      failures: [404],
      summary: 'Personal access tokens of a publisher, without their values',
      description:
        '`token` has the first four characters, to tell tokens apart. For owners of the publisher and administrators.',
      response: { 200: Type.Array(PublisherToken) },
      handle: async ({ actor, params }) => await tokens.list(actor, params.publisherId),
    });

    route('POST', '/publishers/:publisherId/tokens', {
      operation: 'registry.tokens.create',
      failures: [404],
      summary: 'Make a personal access token for publishing',
      description:
        'The value is shown in this answer only: the server keeps a hash. A token publishes versions in the name of the publisher and does nothing else, so it can be stored in a build server. For owners of the publisher and administrators.',
      body: NewPublisherToken,
      response: { 201: CreatedPublisherToken },
      handle: async ({ actor, params, body }) => ({
        token: await tokens.create(actor, params.publisherId, body),
      }),
    });

    route('DELETE', '/publishers/:publisherId/tokens/:tokenId', {
      operation: 'registry.tokens.delete',
      failures: [404],
      summary: 'Delete a personal access token',
      description:
        'It no longer publishes from then on. Versions published with it stay. For owners of the publisher and administrators.',
      response: done('Deleted.'),
      handle: async ({ actor, params }) => await tokens.remove(actor, params.publisherId, params.tokenId),
    });
  };
