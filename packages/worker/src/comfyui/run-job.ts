import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  createFolderFiles,
  createOutputBounds,
  type FolderFiles,
  type Graph,
  NodeError,
  orderedIds,
  parseJson,
  toJson,
} from '@atelier/engine';
import type { Outcome } from '@atelier/engine/runner';
import type { SavedFile } from '@atelier/nodes/save-path';

import { AttemptLost, type ExecutorJob, type RunOptions } from '../executor.ts';
import { openFiles } from '../server-files.ts';
import { createCollector, OutputFailure, showsSharedFile } from './collect-outputs.ts';
import { Unreachable } from './comfyui-client.ts';
import { forgetPrompt, OWNER } from './find-prompt.ts';
import { Hung } from './follow-prompt.ts';
import { cleanerFor, prefixOutputs } from './prefix-outputs.ts';
import { createEventReader, type Ended } from './read-comfyui-events.ts';
import { fieldsOf } from './read-fields.ts';
import { readFileHere } from './read-file-here.ts';
import { isDeviceFailure } from './read-history.ts';
import { createRestore } from './restore-prompt.ts';
import { type PromptEnd, type PromptHost, runPrompt } from './run-prompt.ts';
import { InputFailure, stageInputs } from './stage-inputs.ts';
import type { Rejection } from './submit-prompt.ts';
import type { ComfySupervisor } from './supervise-comfyui.ts';

export interface JobHost extends PromptHost {
  readonly comfy: Pick<ComfySupervisor, 'factsOf' | 'roots'>;
  /** Inputs, as `type.input`, that are known to accept only files outside of folders. */
  readonly flatInputs: Set<string>;
  /** Waits until no other prompt of this worker is at ComfyUI. */
  readonly takeTurn: (signal: AbortSignal) => Promise<Disposable>;
  /** Called with the reason why a prompt did not end, before the next one has its turn. */
  readonly onLost: (error: unknown) => void;
  readonly jobMs: number;
  /** The mark on the prompts of this worker. */
  readonly owner: () => string;
  /** Removes the files of an attempt from the disk of ComfyUI, if it is accessible. */
  readonly removeFiles: (folder: string, fetched: readonly SavedFile[]) => Promise<void>;
}

/** Runs a job at a ComfyUI, where its id is `promptId`. Rejects with `AttemptLost` for trouble that the graph did not cause. */
export async function runJob(
  host: JobHost,
  { job, promptId }: { readonly job: ExecutorJob; readonly promptId: string },
  { signal, onEvent }: RunOptions,
): Promise<Outcome> {
  const { client } = host;
  const { factsOf, roots } = host.comfy;
  const overTime = new AbortController();
  const stop = AbortSignal.any([signal, overTime.signal]);
  const folder = `atelier/${promptId}`;
  const graph = parseJson(job.graph) as Graph;
  const files = filesOf(job, stop);
  let restore = (text: string): string => text;
  const clean = cleanerFor(folder);
  const collector = createCollector({
    client: {
      async download(file, options) {
        const found = await readFileHere(roots(), file, options);
        if (found !== undefined) return found;
        await host.handedOver();
        return await client.download(file, options);
      },
    },
    files,
    folder,
    signal: stop,
    restore: (text) => restore(text),
    clean,
  });
  const bound = createOutputBounds();
  const typeOf = (id: string): string => graph[id]?.class_type ?? '';
  const targets = job.targets.length > 0 ? job.targets : Object.keys(graph);
  const reader = createEventReader({
    jobId: job.jobId,
    promptId,
    emit: onEvent,
    typeOf,
    outputNodes: new Set(targets.filter((id) => factsOf(typeOf(id))?.isOutput)),
    onShown,
    collect: async (output) => await bound(await collector.collect(output), files),
    clean,
  });
  let timer: NodeJS.Timeout | undefined;
  let hasSharedFiles = false;

  async function run(): Promise<Ended> {
    // Other jobs may find more while this one waits for its turn.
    const flat = new Set(host.flatInputs);
    const isFlat = (nodeType: string, input: string) => flat.has(`${nodeType}.${input}`);
    const staged = await stageInputs(graph, { client, files, factsOf, isFlat, folder, signal: stop });
    const sent = prefixOutputs(staged, { factsOf, folder });
    restore = createRestore(graph, sent);
    const bodyFor = toBody(job, { promptId, owner: host.owner() }, sent);
    const turn = await host.takeTurn(stop);
    timer = setTimeout(() => overTime.abort(), host.jobMs);
    // The next prompt begins while the files of this one are fetched, unless it could overwrite them.
    const onEnding = (): void => {
      if (!hasSharedFiles) turn[Symbol.dispose]();
    };
    try {
      const prompt = { id: promptId, bodyFor, reader, signal: stop, onEnding };
      const end = await runPrompt(host, prompt).catch((error: unknown) => {
        host.onLost(error);
        throw error;
      });
      if (end.kind === 'ended') for (const [id, output] of end.entry.outputs) onShown(output, id);
      onEnding();
      return await conclude(end, flat);
    } finally {
      if (hasSharedFiles) await host.removeFiles(folder, collector.fetched());
      turn[Symbol.dispose]();
    }
  }

  function onShown(output: Outcome['outputs'][string], nodeId: string): void {
    const isComfyUis = factsOf(typeOf(nodeId))?.isComfyUis ?? false;
    hasSharedFiles ||= showsSharedFile(output, { folder, isComfyUis });
  }

  async function conclude(end: PromptEnd, flat: ReadonlySet<string>): Promise<Ended> {
    if (end.kind === 'rejected') {
      if (learnFlat(end.rejection, flat))
        throw new AttemptLost('returned', 'ComfyUI accepts its files only outside of folders.');
      const { type, message, nodeId, nodeType } = end.rejection;
      const why = { exception_type: type, exception_message: message, node_id: nodeId, node_type: nodeType };
      return await reader.stop('error', why);
    }
    if (end.kind === 'stopped' || stop.aborted) return await stopped();
    if (end.entry.end.status === 'interrupted') {
      // The owner did not cancel the job. Its outputs are reported first, because the job may end here.
      await reader.stop('interrupted', {});
      throw new AttemptLost(
        'interrupted',
        'The job was interrupted at ComfyUI, by a node or by somebody else who uses it.',
      );
    }
    return await reader.finish(end.entry);
  }

  /**
   * Some nodes list only files outside of folders. Only ComfyUI's refusal tells which, and then the job is sent again. The files of all
   * other nodes stay in a folder, where they have the user's own names.
   */
  function learnFlat({ unlisted }: Rejection, flat: ReadonlySet<string>): boolean {
    const found = unlisted
      .filter(({ nodeId, input }) => factsOf(typeOf(nodeId))?.uploads.has(input))
      .map(({ nodeId, input }) => `${typeOf(nodeId)}.${input}`)
      .filter((input) => !flat.has(input));
    for (const input of found) host.flatInputs.add(input);
    return found.length > 0;
  }

  async function stopped(): Promise<Ended> {
    if (signal.aborted) return await reader.stop('interrupted', {});
    const exception_message = `The job ran longer than ${Math.round(host.jobMs / 60_000)} minutes.`;
    return await reader.stop('error', { exception_type: 'TimeoutError', exception_message });
  }

  async function failed(error: unknown): Promise<Ended> {
    if (stop.aborted && !(error instanceof Hung)) return await stopped();
    if (error instanceof Unreachable) throw new AttemptLost('crash', error.message);
    const cause = error instanceof InputFailure ? error.cause : error;
    if (!(cause instanceof NodeError || cause instanceof OutputFailure)) throw error;
    return await reader.stop('error', {
      exception_type: cause instanceof NodeError ? cause.exceptionType : 'FileNotFoundError',
      exception_message: cause.message,
      ...(error instanceof InputFailure && { node_id: error.nodeId }),
    });
  }

  try {
    const { outcome, final } = await run().catch(failed);
    if (outcome.error && isDeviceFailure(outcome.error))
      throw new AttemptLost('device', outcome.error.exception_message);
    onEvent(final);
    return outcome;
  } finally {
    clearTimeout(timer);
    await files.close();
    // Done after the end of the job was sent, because removing files takes 1 to 5 ms.
    setImmediate(() => {
      if (!hasSharedFiles) void host.removeFiles(folder, collector.fetched());
      host
        .handedOver()
        .then(async () => await forgetPrompt(client, promptId))
        .catch(() => {});
    });
  }
}

function filesOf({ files }: ExecutorJob, signal: AbortSignal): FolderFiles {
  if (files.kind === 'folders') return createFolderFiles(files.folders);
  const scratch = join(files.options.cache.folder, `.scratch-${randomUUID()}`);
  return openFiles(files.options, { scratch, signal });
}

/** Keys and labels stay at the server: everyone who can reach ComfyUI can read what is submitted. */
const PASSED_ON = new Set(['extra_pnginfo', 'preview_method']);

function toBody(
  job: ExecutorJob,
  { promptId, owner }: { readonly promptId: string; readonly owner: string },
  graph: Graph,
): (clientId: string) => string {
  const passedOn = Object.entries(fieldsOf(parseJson(job.extraData))).filter(([name]) => PASSED_ON.has(name));
  // In the submitter's order, which pictures keep in their metadata.
  const nodes = orderedIds(graph, job.order).map((id) => `${JSON.stringify(id)}:${toJson(graph[id])}`);
  const rest = {
    prompt_id: promptId,
    extra_data: { ...Object.fromEntries(passedOn), ...(owner !== '' && { [OWNER]: owner }) },
    ...(job.targets.length > 0 && { partial_execution_targets: job.targets }),
  };
  return (clientId) => `{"prompt":{${nodes.join(',')}},${toJson({ client_id: clientId, ...rest }).slice(1)}`;
}
