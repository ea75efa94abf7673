import { createReadStream } from 'node:fs';
import { type Atelier, loadWorkflow, type Workflow, WorkflowInputError } from '@atelier/sdk';

import type { Context } from '../context.ts';
import { CliError } from '../exit-codes.ts';
import { readBounded } from './read-bounded.ts';

const MAX_BYTES = 64 * 2 ** 20;
const STANDARD_INPUT = '-';

/** A workflow from a file, or from standard input, in either format. */
export async function readWorkflow(
  path: string,
  { output: { stdin }, signal }: Pick<Context, 'output' | 'signal'>,
  atelier: Atelier,
): Promise<Workflow> {
  const isInput = path === STANDARD_INPUT;
  if (isInput && stdin.isTTY)
    throw new CliError('Standard input is a terminal.', {
      advice: 'Pipe a workflow into it, or name a file.',
    });
  const name = isInput ? 'Standard input' : path;
  const stream = isInput ? stdin : createReadStream(path);
  const text = await readBounded(stream, { maxBytes: MAX_BYTES, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new CliError(whyUnread(name, error as NodeJS.ErrnoException), { cause: error });
  });
  if (text === undefined) throw new CliError(`${name} is larger than any workflow.`);
  const workflow = parse(text, name);
  // Only the server knows which widget each value belongs to.
  return workflow.format === 'editor' ? await atelier.workflows.load(text, { signal }) : workflow;
}

function whyUnread(name: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return `There is no file ${name}.`;
  if (code === 'EISDIR') return `${name} is a folder.`;
  if (code === 'EACCES') return `You may not read ${name}.`;
  return `${name} cannot be read (${code ?? message}).`;
}

function parse(text: string, name: string): Workflow {
  try {
    return loadWorkflow(text);
  } catch (error) {
    if (!(error instanceof WorkflowInputError)) throw error;
    throw new CliError(`${name} cannot be run. ${error.message}`, {
      advice: 'Save the workflow again in the editor, or export it in the API format.',
      cause: error,
    });
  }
}
