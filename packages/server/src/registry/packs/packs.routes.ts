import {
  AdminNewNode,
  AdminNodeInput,
  CanEdit,
  NewNode,
  Node,
  NodeInput,
  Translations,
} from '@atelier/contracts';
import { Type } from 'typebox';

import { actorOf } from '../../platform/http/actor.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { withoutNulls } from '../../platform/http/without-nulls.ts';
import {
  bodyOrNothing,
  done,
  NodeParams,
  OptionalReason,
  PublisherNodeParams,
  PublisherParams,
  reasonIn,
  TAGS as tags,
} from '../route-parts.ts';
import type { PacksService } from './packs.service.ts';

/** Changing packs. */
export const packsRoutes: Routes<{ packs: PacksService }> =
  ({ packs }) =>
  async (app) => {
    app.post(
      '/publishers/:publisherId/nodes',
      {
        config: { operation: 'registry.nodes.create', access: 'user', failures: [404] },
        preValidation: withoutNulls,
        schema: {
          summary: 'Create a node without a version yet',
          description:
            "Optional: publishing a version creates its node too. The id is taken regardless of case, unless it is that of the publisher's own deleted node. For owners of the publisher and administrators.",
          tags,
          params: PublisherParams,
          body: NewNode,
          response: { 201: Node },
        },
      },
      async (request, reply) => {
        const node = await packs.create(actorOf(request), request.params.publisherId, request.body);
        return await reply.code(201).send(node);
      },
    );

    app.put(
      '/publishers/:publisherId/nodes/:nodeId',
      {
        config: { operation: 'registry.nodes.update', access: 'user', failures: [404] },
        preValidation: withoutNulls,
        schema: {
          summary: 'Change a node; what is absent stays',
          description:
            'The id cannot be changed. Fields that only administrators set, and what is counted, are ignored. For owners of the publisher and administrators.',
          tags,
          params: PublisherNodeParams,
          body: NodeInput,
          response: { 200: Node },
        },
      },
      async (request) => {
        const { publisherId, nodeId } = request.params;
        return await packs.update(actorOf(request), publisherId, nodeId, request.body);
      },
    );

    app.delete(
      '/publishers/:publisherId/nodes/:nodeId',
      {
        config: { operation: 'registry.nodes.delete', access: 'user', failures: [404] },
        schema: {
          summary: 'Delete a node; its id stays reserved for its publisher',
          description:
            'Its versions are deleted with it, and their numbers stay used. The publisher may create or publish the id again. For owners of the publisher and administrators.',
          tags,
          params: PublisherNodeParams,
          response: done('Deleted.'),
        },
      },
      async (request, reply) => {
        const { publisherId, nodeId } = request.params;
        await packs.remove(actorOf(request), publisherId, nodeId);
        return await reply.code(204).send(null);
      },
    );

    app.get(
      '/publishers/:publisherId/nodes/:nodeId/permissions',
      {
        config: { operation: 'registry.nodes.permissions', access: 'user', failures: [404] },
        schema: {
          summary: 'Whether you may edit a node',
          description:
            '`canEdit` is false when the node does not exist or belongs to another publisher. Anyone who is neither an owner of the publisher nor an administrator gets 403.',
          tags,
          params: PublisherNodeParams,
          response: { 200: CanEdit },
        },
      },
      async (request) => {
        const { publisherId, nodeId } = request.params;
        return { canEdit: await packs.assertMayEdit(actorOf(request), publisherId, nodeId) };
      },
    );

    for (const [word, banned] of [
      ['ban', true],
      ['unban', false],
    ] as const) {
      app.post(
        `/publishers/:publisherId/nodes/:nodeId/${word}`,
        {
          config: { operation: `registry.nodes.${word}`, access: 'user', failures: [404] },
          preValidation: bodyOrNothing,
          schema: {
            summary: banned ? 'Ban a node' : 'Lift the ban of a node',
            description: banned
              ? 'The node gets 403 when it is read, installed, downloaded, published or reviewed, and is in no list or search. `status_detail` keeps the reason. For administrators.'
              : 'The node and its versions are back at once, and the reason is removed. A reason in the body is ignored. For administrators.',
            tags: ['administration'],
            params: PublisherNodeParams,
            body: OptionalReason,
            response: done('Done.'),
          },
        },
        async (request, reply) => {
          const { publisherId, nodeId } = request.params;
          const reason = banned ? reasonIn(request.body) : null;
          await packs.ban(actorOf(request), publisherId, nodeId, reason);
          return await reply.code(204).send(null);
        },
      );
    }

    app.post(
      '/admin/nodes',
      {
        config: { operation: 'admin.nodes.create', access: 'user', failures: [404, 409] },
        preValidation: withoutNulls,
        schema: {
          summary: 'Create a node for a publisher',
          description:
            'Does the same as `POST /publishers/{publisherId}/nodes`, for a publisher that you need not own. A taken id gets 409. For administrators.',
          tags: ['administration'],
          body: AdminNewNode,
          response: { 201: Node },
        },
      },
      async (request, reply) =>
        await reply.code(201).send(await packs.adminCreate(actorOf(request), request.body)),
    );

    app.put(
      '/admin/nodes/:nodeId',
      {
        config: { operation: 'admin.nodes.update', access: 'user', failures: [404] },
        preValidation: withoutNulls,
        schema: {
          summary: 'Change anything of a node, its publisher and status included',
          description:
            'Fields that are absent stay. A node that is banned and becomes active again loses the reason of the ban. For administrators.',
          tags: ['administration'],
          params: NodeParams,
          body: AdminNodeInput,
          response: { 200: Node },
        },
      },
      async (request) => await packs.adminUpdate(actorOf(request), request.params.nodeId, request.body),
    );

    app.post(
      '/nodes/:nodeId/reviews',
      {
        config: {
          operation: 'registry.nodes.review',
          access: 'user',
          failures: [404],
          errorShape: { 404: 'details' },
        },
        schema: {
          summary: 'Give a node one to five stars; a second review replaces the first',
          description:
            'Any account may review. The node in the answer has the new `rating`, the mean of all reviews.',
          tags,
          params: NodeParams,
          querystring: Type.Object({
            star: Type.Integer({ minimum: 1, maximum: 5, description: 'Five is best.' }),
            version: Type.Optional(Type.String({ description: 'The version reviewed; default the latest.' })),
          }),
          response: { 200: Node },
        },
      },
      async (request) => {
        const { star, version } = request.query;
        return await packs.review(actorOf(request), request.params.nodeId, star, version);
      },
    );

    app.post(
      '/nodes/:nodeId/translations',
      {
        config: {
          operation: 'registry.nodes.translate',
          access: 'user',
          failures: [404],
          errorShape: { 404: 'details' },
        },
        schema: {
          summary: 'Merge translations per language and field; null removes',
          description:
            'A node has at most 200,000 characters of translations. `GET /nodes/{nodeId}` shows them with `include_translations=true`. For owners of the publisher and administrators.',
          tags,
          params: NodeParams,
          body: Translations,
          response: { 201: Node },
        },
      },
      async (request, reply) => {
        const node = await packs.translate(actorOf(request), request.params.nodeId, request.body.data);
        return await reply.code(201).send(node);
      },
    );
  };
