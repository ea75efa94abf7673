import { setTimeout as delay } from 'node:timers/promises';

import type { ExecutorStatus } from '../executor.ts';
import { type ComfyClient, Refusal, Unreachable } from './comfyui-client.ts';
import {
  type ComfyFacts,
  type NodeTypes,
  readMachine,
  readModels,
  readNodeTypes,
  Unusable,
} from './describe-comfyui.ts';
import { cancelPrompt, findPrompt } from './find-prompt.ts';
import type { NodeFacts } from './node-facts.ts';
import { findFolder, foldersOf, type Roots, verifyFolders } from './remove-files.ts';
import type { ComfyProcess } from './start-comfyui.ts';

interface Parts {
  readonly client: ComfyClient;
  /** Its process, if this worker runs it. */
  readonly process: Pick<ComfyProcess, 'restart'> | undefined;
  /** Whether to wait for a ComfyUI that does not answer yet. */
  readonly isPatient: boolean;
  /** Its folder on this machine. */
  readonly folder: string | undefined;
  readonly signal: AbortSignal;
  readonly isBusy: () => boolean;
  readonly onUp: () => void;
  readonly onChange: () => void;
  readonly onStatus: (status: ExecutorStatus) => void;
  readonly log: (sentence: string) => void;
}

const PROBE_MS = 5000;
const PROBE_DEADLINE_MS = 10_000;
const DOWN_PROBE_MS = 1000;
const MAX_UNANSWERED_MS = 30_000;
const MAX_BUSY_UNANSWERED_MS = 90_000;
/** ComfyUI opens its port after it has imported all packs. */
const START_MS = 15 * 60_000;
const SLOW_START_MS = 30_000;
const MAX_PROBLEM = 1000;
const FOLDERS = ['input', 'output', 'temp'] as const;
const MODELS_MS = 30_000;

export type ComfySupervisor = ReturnType<typeof superviseComfyUi>;

/** Knows whether a ComfyUI can take jobs, and what it has. */
export function superviseComfyUi({
  client,
  process,
  folder: given,
  isPatient,
  signal,
  isBusy,
  onUp,
  onChange,
  onStatus,
  log,
}: Parts) {
  let folder = given;
  let machine: Awaited<ReturnType<typeof readMachine>> | undefined;
  let models: ComfyFacts['models'] = {};
  let nodeTypes: NodeTypes | undefined;
  let roots: Roots = {};
  let isUp = false;
  let answeredAt = performance.now();
  let modelsAt = Number.NEGATIVE_INFINITY;
  /** Whether it may have restarted with other node types. */
  let mayHaveOthers = false;
  /** Set while no job is given to it although it answers, until it has restarted or the prompt is gone. */
  let quarantine: { readonly promptId?: string } | undefined;
  let goneDown = new AbortController();
  let wake = new AbortController();
  let isWatching = false;
  let problem: string | undefined;
  /** The last report, as JSON. */
  let told = '';

  function tellStatus(): void {
    const status = { ...(machine?.free ?? { gpus: [] }), ...(problem !== undefined && { problem }) };
    const json = JSON.stringify(status);
    if (json === told) return;
    told = json;
    onStatus(status);
  }

  function down(why: string): void {
    if (!isUp) return;
    isUp = false;
    problem = why.slice(0, MAX_PROBLEM);
    tellStatus();
    goneDown.abort();
    log(why);
  }

  async function readAll(): Promise<boolean> {
    machine = await readMachine(client);
    folder ??= await findFolder(client);
    roots = folder === undefined ? {} : await verifyFolders(client, foldersOf(folder, machine.argv));
    const unknown = FOLDERS.filter((name) => roots[name] === undefined);
    if (folder !== undefined && unknown.length > 0)
      log(`Files of jobs stay at ComfyUI: its folders ${unknown.join(', ')} are not found below ${folder}.`);
    const [before, modelsBefore] = [nodeTypes?.description, JSON.stringify(models)];
    models = await readModels(client);
    nodeTypes = await readNodeTypes(client);
    for (const sentence of nodeTypes.problems.slice(0, 20)) log(sentence);
    modelsAt = performance.now();
    mayHaveOthers = false;
    return nodeTypes.description !== before || JSON.stringify(models) !== modelsBefore;
  }

  function becomeUp(): void {
    isUp = true;
    problem = undefined;
    tellStatus();
    answeredAt = performance.now();
    if (goneDown.signal.aborted) goneDown = new AbortController();
    onUp();
  }

  async function probe(): Promise<void> {
    await client.get('/prompt', { deadlineMs: PROBE_DEADLINE_MS, signal });
    answeredAt = performance.now();
    if (quarantine?.promptId !== undefined) {
      const { at } = await findPrompt(client, quarantine.promptId);
      if (at === 'gone' || at === 'history') quarantine = undefined;
      // The job runs elsewhere by now.
      else if (at === 'running') await cancelPrompt(client, quarantine.promptId);
    }
    if (quarantine) return;
    if (!isUp) {
      const hasChanged = await readAll();
      log('ComfyUI is ready.');
      becomeUp();
      if (hasChanged) onChange();
      return;
    }
    machine = await readMachine(client).catch(() => machine);
    tellStatus();
    if (!isBusy()) await refresh();
  }

  async function refresh(): Promise<void> {
    const now = performance.now();
    if (now - modelsAt < MODELS_MS) return;
    const found = await readModels(client);
    modelsAt = now;
    const isSame = JSON.stringify(found) === JSON.stringify(models);
    // Reading everything blocks ComfyUI for 0.1 to 0.7 s, and newer versions scan their disks.
    if (isSame && !mayHaveOthers) return;
    if (await readAll()) onChange();
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      const either = AbortSignal.any([signal, wake.signal]);
      await delay(isUp ? PROBE_MS : DOWN_PROBE_MS, undefined, { signal: either }).catch(() => {});
      if (signal.aborted) return;
      if (wake.signal.aborted) wake = new AbortController();
      try {
        await probe();
      } catch (error) {
        unanswered(error);
      }
    }
  }

  function unanswered(error: unknown): void {
    if (signal.aborted) return;
    if (error instanceof Unreachable && error.code === 'ECONNREFUSED') {
      quarantine = undefined;
      down('ComfyUI has ended.');
    } else if (performance.now() - answeredAt > (isBusy() ? MAX_BUSY_UNANSWERED_MS : MAX_UNANSWERED_MS)) {
      down('ComfyUI has stopped answering.');
      restart();
    } else if (!(error instanceof Unreachable)) log(error instanceof Error ? error.message : String(error));
  }

  function restart(): void {
    process?.restart().catch((error: unknown) => log(String(error)));
    answeredAt = performance.now();
  }

  /** Waits for a ComfyUI that is started here, or if this worker is patient; any other one has to answer. */
  async function connect(): Promise<void> {
    const beganAt = performance.now();
    const giveUpAt = isPatient ? Number.POSITIVE_INFINITY : beganAt + START_MS;
    let isSaid = false;
    for (;;) {
      try {
        await readAll();
        return;
      } catch (error) {
        const isStarting =
          (process || isPatient) && (error instanceof Unusable || error instanceof Unreachable);
        if (!isStarting || performance.now() > giveUpAt) throw toSentence(error);
        if (isRefusal(error)) throw error;
        if (!isSaid && (isPatient || performance.now() - beganAt > SLOW_START_MS)) {
          log(`No ComfyUI answers at ${client.url} yet. The worker keeps trying.`);
          isSaid = true;
        }
        await delay(DOWN_PROBE_MS, undefined, { signal });
      }
    }
  }

  return {
    isUp: (): boolean => isUp,
    installation: (): string | undefined => machine?.installation,
    factsOf: (type: string): NodeFacts | undefined => nodeTypes?.factsOf(type),
    facts: (): ComfyFacts => ({ memoryBytes: machine?.memoryBytes ?? 0, gpus: machine?.gpus ?? [], models }),
    /** Where its files are, as far as known. */
    roots: () => roots,
    async describe(): Promise<string> {
      if (!isWatching) {
        await connect();
        isWatching = true;
        becomeUp();
        void watch();
      }
      return nodeTypes?.description ?? '';
    },
    /** Aborts when it can no longer take jobs. */
    downSignal: (): AbortSignal => goneDown.signal,
    look: (): void => wake.abort(),
    /** Call it when the socket was lost. A process that has ended needs no quarantine. */
    mayHaveRestarted(): void {
      quarantine = undefined;
      mayHaveOthers = true;
      modelsAt = Number.NEGATIVE_INFINITY;
      wake.abort();
    },
    /** It is stuck with this prompt. */
    isHung(why: string, promptId: string): void {
      quarantine = { promptId };
      down(process ? `${why} It is restarted.` : `${why} Restart it. Until then it gets no job.`);
      restart();
    },
    /** Every job would fail until it is restarted. */
    isBroken(why: string): void {
      quarantine = {};
      down(process ? `${why} ComfyUI is restarted.` : `${why} Restart ComfyUI. Until then it gets no job.`);
      restart();
    },
  };
}

/** Whether something answers that is not a usable ComfyUI: waiting does not help. */
function isRefusal(error: unknown): boolean {
  return error instanceof Unusable && !(error.cause instanceof Unreachable);
}

function toSentence(error: unknown): unknown {
  return error instanceof Unreachable || error instanceof Refusal
    ? new Unusable(error.message, { cause: error })
    : error;
}
