import { readFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import { type Atelier, loadWorkflow, type Workflow } from '@atelier/sdk';

import { CliError } from '../exit-codes.ts';

const MAX_BYTES = 64 * 2 ** 20;
const STANDARD_INPUT = '-';

/** A workflow from a file, or from standard input, in either format. */
export async function readWorkflow(
  path: string,
  stdin: NodeJS.ReadStream,
  atelier: Atelier,
): Promise<Workflow> {
  const text = path === STANDARD_INPUT ? await readInput(stdin) : await readWorkflowFile(path);
  const workflow = loadWorkflow(text);
  // Which value of a widget is which, only the server knows.
  return workflow.format === 'editor' ? await atelier.workflows.load(text) : workflow;
}

async function readInput(stdin: NodeJS.ReadStream): Promise<string> {
  if (stdin.isTTY)
    throw new CliError('Standard input is a terminal.', {
      advice: 'Pipe a workflow into it, or name a file.',
    });
  return await readText(stdin);
}

async function readWorkflowFile(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === 'ENOENT'
        ? `There is no file ${path}.`
        : error.code === 'EISDIR'
          ? `${path} is a folder.`
          : undefined;
    throw new CliError(why ?? `${path} cannot be read (${error.code ?? error.message}).`, { cause: error });
  });
  if (bytes.length > MAX_BYTES) throw new CliError(`${path} is larger than any workflow.`);
  return bytes.toString('utf8');
}
