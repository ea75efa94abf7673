import { fileURLToPath } from 'node:url';
import { WORKER_CLOSE } from '@atelier/contracts';
import { childEnvironment } from '@atelier/engine';

import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/route-config.ts';
import { randomToken } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log/create-logger.ts';
import type { Meters } from '../../platform/metrics/create-meters.ts';
import { repeatEvery } from '../../platform/repeat-every.ts';
import { createCheckAsker } from './ask-check.ts';
import { forbiddenLabels } from './connected-worker.ts';
import { createWorkers } from './create-workers.ts';
import { createAbilities, type WorkerOffer } from './matching/abilities.ts';
import { createDemandTracker } from './matching/demand.ts';
import { createJobNeedsStore } from './matching/job-needs.ts';
import { measureDemand } from './matching/measure-demand.ts';
import { createModelFiles } from './matching/model-files.ts';
import { whatIsMissing } from './matching/what-is-missing.ts';
import { measureWorkers } from './measure-workers.ts';
import { createNodeTypes, type Offered } from './node-types/node-types.ts';
import type { SessionParts } from './open-session.ts';
import { createQuarantine } from './quarantine.ts';
import type { WorkerLost } from './remote-attempt.ts';
import { createWorkerProcess, type WorkerProcess } from './worker-process.ts';
import { createWorkerSockets } from './worker-socket.routes.ts';
import { createWorkerTokensService } from './worker-tokens.service.ts';
import { workersRoutes } from './workers.routes.ts';
import { createWorkersService } from './workers.service.ts';

/** How long a ComfyUI worker may take to stop what runs there before it ends. */
const LEAVE_COMFYUI_MS = 2500;
/** How often servers tell each other about their workers, and look for tokens that were revoked elsewhere. */
const EXCHANGE_MS = 5000;
const BUILT_IN = 'built-in';

export interface BuiltInSettings {
  readonly slots: number;
  readonly memoryBytes: number;
  readonly jobMs: number;
  readonly packFolders: readonly string[];
}

/** Workers that this server starts itself. */
export interface OwnWorkers {
  readonly builtIn: BuiltInSettings | undefined;
  /** The addresses of ComfyUI servers, each with a worker of its own. */
  readonly comfyuiUrls: readonly string[];
  /** For copies of files that are at the server; the worker's own by default. */
  readonly cacheFolder?: string | undefined;
  /** Where this server can be reached from its own machine, once it listens. */
  readonly serverUrl: () => string;
}

interface Parts {
  readonly db: Db;
  /** The id of this installation, shared by all servers on this database. */
  readonly installation: string;
  readonly clock: Clock;
  /** The id of this process. */
  readonly server: string;
  readonly ownWorkers: OwnWorkers;
  readonly log: Logger;
  readonly meters: Meters;
  readonly takeOver: SessionParts['takeOver'];
  /** Called when a job can begin. */
  readonly onReady: () => void;
  readonly onError: (error: unknown) => void;
}

/** Workers: who may connect, who is connected, and those that this server starts itself. */
export function createFleet(parts: Parts) {
  const { db, clock, server, ownWorkers, log, meters, takeOver, onReady, onError } = parts;
  const stopping = new AbortController();
  const ownTokens = new Map<string, string>();
  const quarantine = createQuarantine({
    workers: () => workers,
    signal: stopping.signal,
    onQuarantine: (worker) =>
      log.error(
        { worker: worker.hello.name, reason: worker.record.quarantine?.reason },
        'a worker is quarantined',
      ),
  });
  const needs = createJobNeedsStore({ db, clock });
  const abilities = createAbilities({
    clock,
    known: needs.known,
    hasNodeType: (hash, nodeType) => nodeTypes.has(hash, nodeType),
  });
  const workers = createWorkers({
    clock,
    installation: parts.installation,
    onReady,
    onKnown() {
      nodeTypes.arrange();
      nodeTypes.keepOffers(ownOffers()).catch(onError);
    },
    onOutcome: quarantine.note,
    onArrived: quarantine.arrived,
    onRecovered: quarantine.wake,
    abilities,
    elsewhere: () => service.elsewhere(),
  });
  const ownOffers = (): readonly Offered[] =>
    workers
      .all()
      .flatMap(({ isKnown, hello, identity: { isOwn } }) => (isKnown ? toOffered({ ...hello, isOwn }) : []));
  const nodeTypes = createNodeTypes({
    db,
    clock,
    offered: () => [...ownOffers(), ...service.elsewhere().flatMap(toOffered)],
    isAnyConnected: () => workers.all().length > 0 || service.elsewhere().length > 0 || processes.size > 0,
    hasOwn: ownWorkers.builtIn !== undefined,
    onContradictions(found) {
      abilities.forget();
      for (const conflict of found)
        log.warn(conflict, 'a worker has a node type that contradicts another one: it gets no jobs with it');
    },
    isBuiltInComing: () =>
      ownWorkers.builtIn !== undefined ||
      workers.all().some(({ hello, link, isKnown }) => hello.kind === 'built-in' && link && !isKnown),
    askFor: () => workers.load(),
  });
  const checks = createCheckAsker(workers);
  const lost = measureWorkers(meters, workers);
  const tokens = createWorkerTokensService({
    db,
    clock,
    ownTokens,
    onChanged: () => void dropRevoked().catch(onError),
  });
  const demand = createDemandTracker({
    db,
    clock,
    needsOf: needs.get,
    offers: () => service.offers(),
    isAble: abilities.isAble,
    tokenLabels: async () => [...(await tokens.limits()).values()].flatMap((labels) => labels ?? []),
  });
  measureDemand(meters, demand.measure);
  const service = createWorkersService({ db, clock, server, workers });
  const sockets = createWorkerSockets({
    workers,
    log,
    identify: tokens.identify,
    nodeTypes,
    takeOver,
    quarantineOf: service.quarantineOf,
    onChecked: checks.answered,
    onError,
    onSilent: ({ isOwn, tokenId }) => (isOwn ? processes.get(tokenId)?.restart() : undefined),
  });
  const processes = new Map<string, WorkerProcess>();
  const { cacheFolder } = ownWorkers;
  for (const [name, args] of argumentsOf(ownWorkers)) {
    const token = randomToken(32);
    ownTokens.set(token, name);
    const started = createWorkerProcess({
      name,
      program: fileURLToPath(import.meta.resolve('@atelier/worker/main')),
      args: ['--name', name, ...args, ...(cacheFolder === undefined ? [] : ['--cache', cacheFolder])],
      env: { ...childEnvironment(), ATELIER_WORKER_TOKEN: token },
      leaveMs: args.includes('--comfyui') ? LEAVE_COMFYUI_MS : 0,
      onGone: () => workers.ended(name),
      onLog: (sentence) => log.info({ worker: name }, sentence),
      onError,
    });
    processes.set(name, started);
  }
  let stopExchange = async (): Promise<void> => {};

  /** Disconnects workers whose token was revoked or no longer allows their labels, here or on another server. */
  async function dropRevoked(): Promise<void> {
    const remote = workers.all().filter(({ identity }) => !identity.isOwn);
    if (remote.length === 0) return;
    const limits = await tokens.limits();
    for (const worker of remote) {
      const { tokenId } = worker.identity;
      const allowed = limits.get(tokenId);
      const isAllowed = limits.has(tokenId) && forbiddenLabels(worker.hello, allowed).length === 0;
      if (isAllowed) continue;
      worker.link?.close(WORKER_CLOSE.refused, 'Its token was revoked or does not allow its labels.');
      workers.expel(worker);
    }
  }

  return {
    workers,
    /** An attempt was lost at a worker. */
    noteLost(
      { reason: cause, message }: WorkerLost,
      at: { readonly jobId: string; readonly worker: string | undefined },
    ): void {
      lost.add({ cause });
      if (cause === 'returned') log.info({ ...at, reason: message }, 'a worker has returned a job');
      else log.warn({ ...at, cause, reason: message }, 'an attempt at a job was lost');
    },
    nodeTypes: nodeTypes.get,
    models: createModelFiles(() => nodeTypes.models()),
    askCheck: checks.ask,
    whatIsMissing: async (key: string | null) =>
      whatIsMissing(await needs.get(key), service.offers(), nodeTypes.has),
    needs,
    async tidy(): Promise<void> {
      await nodeTypes.tidy();
      await needs.tidy();
    },
    /** Loads the node types of the built-in worker before the server listens. Rejects when a pack cannot be loaded. */
    load: async (): Promise<void> => await processes.get(BUILT_IN)?.load(),
    async routes(app: App): Promise<void> {
      await sockets.routes(app);
      await workersRoutes({
        tokens,
        service,
        demand: demand.forAdministrators,
        conflicts: nodeTypes.conflicts,
      })(app);
    },
    start(): void {
      for (const each of processes.values()) each.connect(ownWorkers.serverUrl());
      const exchange = async (): Promise<void> => {
        await dropRevoked();
        await nodeTypes.keepOffers(ownOffers());
        for (const { nodeTypes: hash } of await service.exchange()) {
          if (hash !== undefined) await nodeTypes.knows(hash);
        }
      };
      stopExchange = repeatEvery(EXCHANGE_MS, exchange, onError);
    },
    async close(): Promise<void> {
      stopping.abort();
      await stopExchange();
      workers.close();
      sockets.close();
      await Promise.all(processes.values().map(async (each) => await each.close()));
    },
  };
}

type OwnedOffer = WorkerOffer & Pick<Offered, 'isOwn'>;

function toOffered({ nodeTypes: hash, name, kind, models, isOwn }: OwnedOffer): readonly Offered[] {
  return hash === undefined ? [] : [{ name, kind, hash, models, isOwn }];
}

/** By the names of the workers. */
function argumentsOf({ builtIn, comfyuiUrls }: OwnWorkers): ReadonlyMap<string, readonly string[]> {
  const all = comfyuiUrls.map((url, index): [string, readonly string[]] => [
    comfyuiUrls.length === 1 ? 'comfyui' : `comfyui-${index + 1}`,
    ['--comfyui', url],
  ]);
  if (builtIn) all.unshift([BUILT_IN, builtInArguments(builtIn)]);
  return new Map(all);
}

function builtInArguments({ slots, memoryBytes, jobMs, packFolders }: BuiltInSettings): string[] {
  return [
    ['--slots', String(slots)],
    ['--memory-mb', String(memoryBytes / 2 ** 20)],
    ['--job-minutes', String(jobMs / 60_000)],
    ...packFolders.map((folder) => ['--packs', folder]),
  ].flat();
}
