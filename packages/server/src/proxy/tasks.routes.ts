import { PriceList, ProxyTaskPage, ProxyTaskQuery, VENDORS, VendorList } from '@atelier/contracts';
import { Type } from 'typebox';

import { actorOf } from '../platform/http/actor.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { listVideoPrices } from './requests/price-list.ts';
import type { TasksService } from './tasks.service.ts';
import type { VendorCallbacks } from './vendor-callbacks.ts';
import { definitionOf } from './vendors/all-vendors.ts';
import type { VendorAdapter } from './vendors/vendor.ts';
import type { Prices } from './vendors/vendor-definition.ts';

interface Parts {
  readonly tasks: TasksService;
  /** Those that new tasks go to. */
  readonly adapters: readonly VendorAdapter[];
  readonly callbacks: VendorCallbacks;
  readonly prices: Prices;
  readonly isFree: (adapter: VendorAdapter) => boolean;
}

const tags = ['generation'];

/** Routes that belong to no vendor. */
export const tasksRoutes: Routes<Parts> =
  ({ tasks, adapters, callbacks, prices, isFree }) =>
  async (app) => {
    const free = adapters.filter(isFree).map(({ vendor }) => vendor);
    const freeNames = free.flatMap((vendor) => Object.keys(VENDORS[vendor].prices));
    const areVideosFree = free.some((vendor) => definitionOf(vendor).models !== undefined);
    app.get(
      '/proxy/vendors',
      {
        config: { operation: 'proxy.vendors', access: 'user', session: true },
        schema: {
          summary: 'Who generates',
          description:
            'One entry for each vendor that takes new tasks now. `local` is true where a stand-in on this server renders, and `about` says what that vendor does and does not do.',
          tags,
          response: { 200: VendorList },
        },
      },
      async () => ({ vendors: adapters.map(describe) }),
    );

    app.get(
      '/proxy/prices',
      {
        config: { operation: 'proxy.prices', access: 'user', session: true },
        schema: {
          summary: 'What each generation costs',
          description:
            'In credits. Every combination of video model, resolution and duration has its price and its off-peak price, beside what `audio`, `bgm` and `is_rec` add. The table is the one that tasks are charged by.',
          tags,
          response: { 200: PriceList },
        },
      },
      async () => ({
        images: { ...prices, ...Object.fromEntries(freeNames.map((name) => [name, 0])) },
        videos: listVideoPrices(areVideosFree ? 0 : 1),
      }),
    );

    app.get(
      '/proxy/tasks',
      {
        config: { operation: 'proxy.tasks.list', access: 'user', session: true },
        schema: {
          summary: 'Your tasks, newest first',
          description:
            "Images and videos together, each with its credits, progress and error. For the links to results, ask the task's own route. Ended tasks are kept for `ATELIER_TASK_DAYS`.",
          tags,
          querystring: ProxyTaskQuery,
          response: { 200: ProxyTaskPage },
        },
      },
      async (request) => await tasks.list(actorOf(request).userId, request.query),
    );

    app.post(
      '/proxy/callbacks/:taskId',
      {
        config: { operation: 'proxy.callback', access: 'public', failures: [403] },
        schema: {
          summary: 'For vendors: tell that a task has changed',
          description:
            'Nothing in the body is used: the server asks the vendor itself. Each task has its own signed link, good for 72 hours.',
          tags,
          params: Type.Object({ taskId: Type.String({ description: 'Id of the task.' }) }),
          querystring: Type.Object({
            expires: Type.String({ description: 'Unix time in seconds.' }),
            signature: Type.String({ description: 'HMAC-SHA256, base64url.' }),
          }),
          response: { 204: Type.Null({ description: 'The vendor is asked now.' }) },
        },
      },
      async (request, reply) => {
        await callbacks.receive(request.params.taskId, request.query);
        return await reply.code(204).send(null);
      },
    );
  };

function describe({ name, vendor, description }: VendorAdapter): VendorList['vendors'][number] {
  const { title, isLocal, about, host } = description;
  const { models } = definitionOf(vendor);
  return {
    vendor,
    adapter: name,
    title,
    local: isLocal,
    about,
    ...(host !== undefined && { host }),
    ...(models && { models: [...models] }),
  };
}
