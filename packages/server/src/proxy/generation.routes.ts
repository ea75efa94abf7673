import { kindsOf, VENDOR_NAMES, VENDORS, type VendorName } from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';

import { actorOf } from '../platform/http/actor.ts';
import type { App, Routes } from '../platform/http/route-config.ts';
import { withoutNulls } from '../platform/http/without-nulls.ts';
import { warnOfUnknownFields } from './requests/unknown-fields.ts';
import type { TaskLinks } from './task-links.ts';
import { fingerprintOf, type TasksService } from './tasks.service.ts';
import { definitionOf } from './vendors/all-vendors.ts';
import type { ReadOptions } from './vendors/vendor-definition.ts';

interface Parts extends ReadOptions {
  readonly tasks: TasksService;
  readonly links: TaskLinks;
  readonly maxBodyBytes: number;
}

const tags = ['generation'];
const access = { access: 'user', jobCredential: true } as const;
const TaskHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The same key and body within 24 hours give the same task.',
    }),
  ),
});
const TaskParams = Type.Object({
  taskId: Type.String({ description: 'Id of the task, from its creation.' }),
});

/** The routes of every vendor, under its own name and that of public clients. */
export const generationRoutes: Routes<Parts> = (parts) => async (app) => {
  for (const vendor of VENDOR_NAMES) {
    const names = parts.acceptAliases ? [vendor, VENDORS[vendor].alias] : [vendor];
    for (const name of names) addVendor(app, { ...parts, vendor, name });
  }
};

function addVendor(app: App, parts: Parts & { readonly vendor: VendorName; readonly name: string }): void {
  const { vendor, name, tasks, links, maxBodyBytes, prices, acceptAliases } = parts;
  const { states, reads, creates } = VENDORS[vendor];
  const { created, read, webhookField, creates: routes } = definitionOf(vendor);
  const paths = new Map<string, string>(Object.entries(reads));

  for (const [key, { path, read: shownBy }] of Object.entries(creates)) {
    const { summary, description, body, read: readBody } = routes[key as keyof typeof routes];
    const about = [
      description,
      `Answers before the result is there: ask \`…${paths.get(shownBy)?.replace(':taskId', '{taskId}')}\``,
      `until its state is \`${states.done}\` or \`${states.failed}\`, or give a \`${webhookField}\`.`,
      'Its credits (`GET /proxy/prices`) are reserved now and come back if the task fails;',
      'more tasks than an account may have under way get 429.',
    ];
    app.post(
      `/proxy/${name}${path}`,
      {
        bodyLimit: maxBodyBytes,
        preValidation: withoutNulls,
        config: {
          ...access,
          operation: `proxy.${name}.${key}.create`,
          needsSpace: true,
          failures: [402, 409, 429],
        },
        schema: {
          summary,
          description: about.filter((sentence) => sentence !== '').join(' '),
          tags,
          headers: TaskHeaders,
          body,
          response: { 200: created.schema },
        },
      },
      async (request: FastifyRequest) => {
        const { task, files } = await tasks.create({
          userId: actorOf(request).userId,
          request: readBody(request.body, { prices, acceptAliases }),
          idempotencyKey: (request.headers as Static<typeof TaskHeaders>)['idempotency-key'],
          // The dash keeps keys from an earlier version valid.
          fingerprint: () => fingerprintOf(key.replace('.', '-'), request.body),
        });
        return { ...(await created.toAnswer(task, files, links)), ...warnOfUnknownFields(request) };
      },
    );
  }

  for (const [key, path] of paths) {
    const kinds = kindsOf(vendor, key);
    app.get(
      `/proxy/${name}${path}`,
      {
        config: { ...access, operation: `proxy.${name}.${key}`, failures: [404] },
        schema: {
          summary: 'How a task stands, with fresh links to its results',
          description: `Links to results are there once the state is \`${states.done}\`. They need no credential and last for 24 hours. A task of another account or kind gets 404.`,
          tags,
          params: TaskParams,
          response: { 200: read.schema },
        },
      },
      async (request) => {
        const { task, files } = await tasks.find(actorOf(request).userId, request.params.taskId, kinds);
        return await read.toAnswer(task, files, links);
      },
    );
  }
}
