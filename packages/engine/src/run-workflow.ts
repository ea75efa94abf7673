import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeProblems, PromptProblem } from '@atelier/contracts';
import { readNodeDescriptions } from './declare/describe-nodes.ts';
import type { EngineEvent } from './engine-events.ts';
import type { Outcome } from './execute/run-graph.ts';
import { createFolderFiles } from './folder-files.ts';
import { parsePrompt, type SubmittedPrompt } from './parse-prompt.ts';
import { toJson } from './python/exact-json.ts';
import { createRunner } from './runner/create-runner.ts';
import type { PackSources } from './runner/load-packs.ts';
import { validatePrompt } from './validate/validate-prompt.ts';

export interface RunWorkflowOptions {
  readonly packs: PackSources;
  /** The folder of `input`, `output` and `temp`, which are created if missing. */
  readonly folder: string;
  readonly signal?: AbortSignal;
  onEvent?(event: EngineEvent): void;
}

/** A graph that cannot run, with its problems and those of its nodes. */
export class InvalidWorkflow extends Error {
  readonly error: PromptProblem;
  readonly nodeErrors: Readonly<Record<string, NodeProblems>>;
  constructor(error: PromptProblem, nodeErrors: Readonly<Record<string, NodeProblems>>) {
    const problems = Object.entries(nodeErrors).flatMap(([id, { class_type, errors }]) =>
      errors.map(({ message, details }) => `${id} (${class_type}): ${message}: ${details}`),
    );
    super([`${error.message}.`, ...problems].join('\n'));
    this.name = 'InvalidWorkflow';
    this.error = error;
    this.nodeErrors = nodeErrors;
  }
}

/** Validates a workflow in the API format, or the text of one, and runs it once, in a process of its own. */
export async function runWorkflow(workflow: unknown, options: RunWorkflowOptions): Promise<Outcome> {
  const { packs, folder, signal, onEvent } = options;
  const [input, output, temp] = [join(folder, 'input'), join(folder, 'output'), join(folder, 'temp')];
  const folders = { input, output, temp };
  for (const path of [input, output, temp]) await mkdir(path, { recursive: true });
  const { prompt, order, exact }: SubmittedPrompt =
    typeof workflow === 'string' ? parsePrompt(workflow) : { prompt: workflow, order: [] };
  const runner = createRunner({ packs });
  try {
    const valid = await validatePrompt(prompt, {
      catalogue: readNodeDescriptions(await runner.describe()),
      files: createFolderFiles(folders),
      order,
      exact,
      askCheck: async (question) => await runner.check(question, { folders }),
    });
    if (!valid.ok) throw new InvalidWorkflow(valid.error, valid.node_errors);
    return await runner.run(
      { jobId: crypto.randomUUID(), graph: toJson(valid.graph), targets: valid.targets, order, folders },
      { ...(signal ? { signal } : {}), ...(onEvent ? { onEvent } : {}) },
    );
  } finally {
    await runner.close();
  }
}
