import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { it } from 'node:test';
import { temporaryFolder } from '@atelier/testing';
import type { FastifyInstance } from 'fastify';

import { compose } from './compose.ts';
import { loadConfig } from './config/load-config.ts';
import { needOf } from './platform/http/scopes.ts';
import { createLogger } from './platform/log/create-logger.ts';

/** What each route that knows its caller needs of a key with scopes; without the door, `host` or `cloud`, that it is behind. */
const OPERATIONS: Readonly<Record<string, string>> = {
  workflows: `
    assets.byHash assets.content assets.delete assets.deleteMany assets.fromHash assets.get assets.list
    assets.preview assets.prune
    assets.seed assets.seed.cancel assets.seed.status assets.tags.add assets.tags.change assets.tags.refine assets.tags.remove
    assets.update assets.upload editor.page embeddings.list extensions.list features.list files.list files.view
    files.viewVideo free history.change history.list history.read history2.list history2.read i18n.list
    interrupt jobs.assets jobs.cancel jobs.cancel.several jobs.events jobs.events_of_all jobs.list jobs.read
    jobs.state jobs.timeline
    logs.entries logs.subscribe logs.text models.experimentFolders models.experimentList models.folders
    models.list models.paths nodeTypes.list nodeTypes.one nodeTypes.replacements prompt.remaining
    prompt.submit queue.change queue.read settings.list settings.merge settings.one settings.set socket
    subgraphs.list system.stats tags.list templates.logos templates.ofPacks templates.read uploads.grant
    uploads.image uploads.mask usage.read user.read userData.delete userData.list userData.move
    userData.read userData.walk userData.write users.create users.read v2.assets.byHash v2.assets.content v2.assets.delete v2.assets.fromHash v2.assets.get v2.assets.upload
    v2.jobs.cancel v2.jobs.create v2.jobs.events v2.jobs.list v2.jobs.logs v2.jobs.read v2.jobs.workflow
    workflows.content workflows.delete
    workflows.list workflows.save workflows.share workflows.shared workflows.unshare workflows.update
    workflows.versions
  `,
  generation: `
    customers.storage.announce proxy.freepik.relight.create proxy.freepik.relight.show
    proxy.freepik.skin.creative.create proxy.freepik.skin.faithful.create proxy.freepik.skin.flexible.create
    proxy.freepik.skin.show proxy.imagevendor.relight.create proxy.imagevendor.relight.show
    proxy.imagevendor.skin.creative.create proxy.imagevendor.skin.faithful.create
    proxy.imagevendor.skin.flexible.create proxy.imagevendor.skin.show proxy.prices proxy.tasks.list
    proxy.vendors proxy.videovendor.creations proxy.videovendor.img2video.create
    proxy.videovendor.text2video.create proxy.vidu.creations proxy.vidu.img2video.create
    proxy.vidu.text2video.create
  `,
  registry: `
    registry.members.add registry.members.list registry.members.remove registry.members.role
    registry.nodes.create registry.nodes.delete registry.nodes.permissions registry.nodes.review registry.nodes.reviews
    registry.nodes.translate registry.nodes.update registry.publishers.create registry.publishers.delete
    registry.publishers.list registry.publishers.permissions registry.publishers.read
    registry.publishers.update registry.tokens.create registry.tokens.delete registry.tokens.list
    registry.user registry.user.publishers registry.user.publishers.slash registry.versions.delete
    registry.versions.list registry.versions.read registry.versions.readme registry.versions.review registry.versions.update
  `,
  account: `
    auth.session.end billing.balance billing.status customers.credits customers.keys.create
    customers.keys.delete customers.keys.list webhooks.deliveries.list webhooks.deliveries.redeliver
    webhooks.deliveries.show webhooks.endpoints.list webhooks.endpoints.resume webhooks.secret.rotate
    webhooks.secret.show workspaces.current
  `,
  admin: `
    admin.audit admin.jobs.cancel admin.jobs.list admin.keys.rotate admin.nodes.create admin.nodes.update
    admin.queue.history admin.settings admin.storage
    admin.users.ban admin.users.create admin.users.credits admin.users.delete admin.users.export admin.users.list
    admin.users.read admin.users.subscription admin.users.unban admin.users.webhook_secret admin.versions.decide admin.versions.page
    admin.webhooks.endpoints
    admin.worker_tokens.change admin.worker_tokens.create admin.worker_tokens.list
    admin.worker_tokens.revoke admin.workers.conflicts admin.workers.demand admin.workers.drain
    admin.workers.list admin.workers.models admin.workers.quarantine admin.workers.release metrics
    registry.nodes.ban registry.nodes.unban registry.publishers.ban registry.publishers.unban
  `,
  any: `
    customers.me
  `,
  unlimited: `
    admin.rescue admin.users.password admin.users.role customers.password
  `,
};

it('[ACC-2] every route that knows its caller is listed with the scope it needs', async () => {
  await using folder = await temporaryFolder();
  const found: Record<string, Set<string>> = {};
  const collect = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => {
      const { config, method } = route;
      if (config?.operation === undefined || method === 'HEAD') return;
      // A WebSocket is public until it looks for its caller itself.
      if (config.access === 'public' && !config.tokenInQuery) return;
      (found[needOf(route)] ??= new Set()).add(config.operation.replace(/^(?:host|cloud)\./, ''));
    });
  };
  subscribe('fastify.initialization', collect);
  const { app, release } = await compose(
    loadConfig({ ATELIER_DATA_DIR: folder.path }),
    createLogger('silent'),
  );
  unsubscribe('fastify.initialization', collect);
  await app.close();
  await release();
  assert.deepEqual(
    Object.fromEntries(Object.entries(found).map(([need, names]) => [need, [...names].toSorted()])),
    Object.fromEntries(Object.entries(OPERATIONS).map(([need, text]) => [need, text.trim().split(/\s+/)])),
  );
});
