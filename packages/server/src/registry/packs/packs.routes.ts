import {
  AdminNewNode,
  AdminNodeInput,
  CanEdit,
  NewNode,
  Node,
  NodeInput,
  Reviews,
  Translations,
} from '@atelier/contracts';
import { Type } from 'typebox';

import { done } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { withoutNulls } from '../../platform/http/without-nulls.ts';
import { bodyOrNothing, OptionalReason, optionalText, reasonIn, registryRoutes } from '../route-parts.ts';
import type { PacksService } from './packs.service.ts';

export const packsRoutes: Routes<{ packs: PacksService }> =
  ({ packs }) =>
  async (app) => {
    const route = registryRoutes(app);
    route('POST', '/publishers/:publisherId/nodes', {
      operation: 'registry.nodes.create',
      failures: [404],
      preValidation: withoutNulls,
      summary: 'Create a node without a version yet',
      description:
        "Optional: publishing a version creates its node too. The id is taken regardless of case, unless it is that of the publisher's own deleted node. For owners of the publisher and administrators.",
      body: NewNode,
      response: { 201: Node },
      handle: async ({ actor, params, body }) => await packs.create(actor, params.publisherId, body),
    });

    route('PUT', '/publishers/:publisherId/nodes/:nodeId', {
      operation: 'registry.nodes.update',
      failures: [404],
      preValidation: withoutNulls,
      summary: 'Change a node; what is absent stays',
      description:
        'The id cannot be changed. Fields that only administrators set, and what is counted, are ignored. For owners of the publisher and administrators.',
      body: NodeInput,
      response: { 200: Node },
      handle: async ({ actor, params: { publisherId, nodeId }, body }) =>
        await packs.update(actor, publisherId, nodeId, body),
    });

    route('DELETE', '/publishers/:publisherId/nodes/:nodeId', {
      operation: 'registry.nodes.delete',
      failures: [404],
      summary: 'Delete a node; its id stays reserved for its publisher',
      description:
        'Its versions are deleted with it, and their numbers stay used. The publisher may create or publish the id again. For owners of the publisher and administrators.',
      response: done('Deleted.'),
      handle: async ({ actor, params: { publisherId, nodeId } }) =>
        await packs.remove(actor, publisherId, nodeId),
    });

    route('GET', '/publishers/:publisherId/nodes/:nodeId/permissions', {
      operation: 'registry.nodes.permissions',
      failures: [404],
      summary: 'Whether you may edit a node',
      description:
        '`canEdit` is false when the node does not exist or belongs to another publisher. Anyone who is neither an owner of the publisher nor an administrator gets 403.',
      response: { 200: CanEdit },
      handle: async ({ actor, params: { publisherId, nodeId } }) => ({
        canEdit: await packs.mayEdit(actor, publisherId, nodeId),
      }),
    });

    for (const [word, banned] of [
      ['ban', true],
      ['unban', false],
    ] as const) {
      route('POST', `/publishers/:publisherId/nodes/:nodeId/${word}`, {
        operation: `registry.nodes.${word}`,
        failures: [404],
        preValidation: bodyOrNothing,
        summary: banned ? 'Ban a node' : 'Lift the ban of a node',
        description: banned
          ? 'The node gets 403 when it is read, installed, downloaded, published or reviewed, and is in no list or search. `status_detail` keeps the reason. For administrators.'
          : 'The node and its versions are back at once, and the reason is removed. A reason in the body is ignored. For administrators.',
        tag: 'administration',
        body: OptionalReason,
        response: done('Done.'),
        handle: async ({ actor, params: { publisherId, nodeId }, body }) =>
          await packs.ban(actor, publisherId, nodeId, banned ? reasonIn(body) : null),
      });
    }

    route('POST', '/admin/nodes', {
      operation: 'admin.nodes.create',
      failures: [404, 409],
      preValidation: withoutNulls,
      summary: 'Create a node for a publisher',
      description:
        'Does the same as `POST /publishers/{publisherId}/nodes`, for a publisher that you need not own. A taken id gets 409. For administrators.',
      tag: 'administration',
      body: AdminNewNode,
      response: { 201: Node },
      handle: async ({ actor, body }) => await packs.adminCreate(actor, body),
    });

    route('PUT', '/admin/nodes/:nodeId', {
      operation: 'admin.nodes.update',
      failures: [404],
      preValidation: withoutNulls,
      summary: 'Change anything of a node, its publisher and status included',
      description:
        'Fields that are absent stay. A node that is banned and becomes active again loses the reason of the ban. For administrators.',
      tag: 'administration',
      body: AdminNodeInput,
      response: { 200: Node },
      handle: async ({ actor, params, body }) => await packs.adminUpdate(actor, params.nodeId, body),
    });

    route('GET', '/nodes/:nodeId/reviews', {
      operation: 'registry.nodes.reviews',
      access: 'optional',
      failures: [403, 404],
      errorShape: { 404: 'details' },
      summary: 'How many stars a node has been given, and yours',
      description: 'Who gave which stars is not told.',
      response: { 200: Reviews },
      handle: async ({ actor, params }) => await packs.reviews(actor, params.nodeId),
    });

    route('POST', '/nodes/:nodeId/reviews', {
      operation: 'registry.nodes.review',
      failures: [404],
      errorShape: { 404: 'details' },
      summary: 'Give a node one to five stars; a second review replaces the first',
      description:
        'Any account may review. The node in the answer has the new `rating`, the mean of all reviews.',
      query: {
        star: Type.Integer({ minimum: 1, maximum: 5, description: 'Five is best.' }),
        version: optionalText('The version reviewed; default the latest.'),
      },
      response: { 200: Node },
      handle: async ({ actor, params, query }) => {
        const { star, version } = query;
        return await packs.review(actor, params.nodeId, star, version);
      },
    });

    route('POST', '/nodes/:nodeId/translations', {
      operation: 'registry.nodes.translate',
      failures: [404],
      errorShape: { 404: 'details' },
      summary: 'Merge translations per language and field; null removes',
      description:
        'A node has at most 200,000 characters of translations. `GET /nodes/{nodeId}` shows them with `include_translations=true`. For owners of the publisher and administrators.',
      body: Translations,
      response: { 201: Node },
      handle: async ({ actor, params, body }) => await packs.translate(actor, params.nodeId, body.data),
    });
  };
