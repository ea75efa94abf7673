import { PriceList, ProxyTaskPage, ProxyTaskQuery, VENDORS, VendorList } from '@atelier/contracts';
import { Type } from 'typebox';

import { createRouteDefiner, done } from '../platform/http/define-route.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { listVideoPrices } from './requests/price-list.ts';
import type { TasksService } from './tasks.service.ts';
import type { VendorCallbacks } from './vendor-callbacks.ts';
import { definitionOf } from './vendors/all-vendors.ts';
import type { VendorAdapter } from './vendors/vendor.ts';
import type { Prices } from './vendors/vendor-definition.ts';

interface Parts {
  readonly tasks: TasksService;
  readonly adapters: readonly VendorAdapter[];
  readonly callbacks: VendorCallbacks;
  readonly prices: Prices;
  readonly isFree: (adapter: VendorAdapter) => boolean;
}

/** Routes that belong to no vendor. */
export const tasksRoutes: Routes<Parts> =
  ({ tasks, adapters, callbacks, prices, isFree }) =>
  async (app) => {
    const parameters = { taskId: 'Id of the task.' };
    const route = createRouteDefiner(app, { tag: 'generation', parameters });
    const free = adapters.filter(isFree).map(({ vendor }) => vendor);
    const freeNames = free.flatMap((vendor) => Object.keys(VENDORS[vendor].prices));
    const areVideosFree = free.some((vendor) => definitionOf(vendor).models !== undefined);
    route('GET', '/proxy/vendors', {
      operation: 'proxy.vendors',
      summary: 'Who generates',
      description:
        'One entry for each vendor that takes new tasks now. `local` is true where a stand-in on this server renders, and `about` says what that vendor does and does not do.',
      response: { 200: VendorList },
      handle: async () => ({ vendors: adapters.map(describe) }),
    });

    route('GET', '/proxy/prices', {
      operation: 'proxy.prices',
      summary: 'What each generation costs',
      description:
        'In credits. Every combination of video model, resolution and duration has its price and its off-peak price, beside what `audio`, `bgm` and `is_rec` add. The table is the one that tasks are charged by.',
      response: { 200: PriceList },
      handle: async () => ({
        images: { ...prices, ...Object.fromEntries(freeNames.map((name) => [name, 0])) },
        videos: listVideoPrices(areVideosFree ? 0 : 1),
      }),
    });

    route('GET', '/proxy/tasks', {
      operation: 'proxy.tasks.list',
      summary: 'Your tasks, newest first',
      description:
        "Images and videos together, each with its credits, progress and error. For the links to results, ask the task's own route. Ended tasks are kept for `ATELIER_TASK_DAYS`.",
      query: ProxyTaskQuery.properties,
      response: { 200: ProxyTaskPage },
      handle: async ({ actor, query }) => await tasks.list(actor.userId, query),
    });

    route('POST', '/proxy/callbacks/:taskId', {
      operation: 'proxy.callback',
      access: 'public',
      failures: [403],
      summary: 'For vendors: tell that a task has changed',
      description:
        'Nothing in the body is used: the server asks the vendor itself. Each task has its own signed link, good for 72 hours.',
      query: {
        expires: Type.String({ description: 'Unix time in seconds.' }),
        signature: Type.String({ description: 'HMAC-SHA256, base64url.' }),
      },
      response: done('The vendor is asked now.'),
      handle: async ({ params, query }) => await callbacks.receive(params.taskId, query),
    });
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
