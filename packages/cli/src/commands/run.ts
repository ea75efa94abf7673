import type { JobOutput, JobResult } from '@atelier/sdk';
import { type Command, Option } from 'commander';

import type { Context } from '../context.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { plainLine, plainText } from '../output/plain-text.ts';
import type { WithContext } from '../program.ts';

interface RunOptions {
  readonly set: readonly string[];
  readonly input: readonly string[];
  readonly out: string;
  readonly download: boolean;
  readonly label: readonly string[];
  readonly wait: boolean;
  readonly watch?: boolean;
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const EXAMPLES = `
Examples:
  $ atelier run workflow.json
  $ atelier run workflow.json --set KSampler.seed=7 --set "Positive prompt.text=a fox" --out pictures
  $ atelier run enhance.json --input image=photo.jpg
  $ cat workflow.json | atelier run - --json

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused, 4 no server, 130 cancelled.`;

export function addRunCommand(program: Command, withContext: WithContext): void {
  program
    .command('run')
    .summary('run a workflow and fetch what it makes')
    .description(
      'Runs a workflow, in the API format or as the editor saves it, shows its progress and saves its files.',
    )
    .argument('<file>', 'the workflow; - reads standard input')
    .addOption(
      new Option('--set <node.input=value>', 'set a value, by node id, type or title; may be repeated')
        .argParser(collect)
        .default([], 'none'),
    )
    .addOption(
      new Option('--input <name=file>', 'upload a file and put it in place; may be repeated')
        .argParser(collect)
        .default([], 'none'),
    )
    .option('-o, --out <folder>', 'where files are saved', '.')
    .option('--no-download', 'save no files')
    .addOption(
      new Option('--label <label>', 'run only at a worker with this label; may be repeated')
        .argParser(collect)
        .default([], 'none'),
    )
    .option('--no-wait', 'do not wait for its end')
    .option('--watch', 'run again whenever the workflow or an input file changes')
    .addHelpText('after', EXAMPLES)
    .action(withContext(run));
}

async function run(context: Context, path: string, options: RunOptions): Promise<ExitCode> {
  if (!options.watch) {
    await runOnce(context, path, options);
    return EXIT.done;
  }
  if (path === '-') throw new CliError('--watch needs a file, not standard input.');
  const { waitForChange } = await import('../run/wait-for-change.ts');
  const { reportError } = await import('../output/report-error.ts');
  const inputs = options.input.map((input) => input.slice(input.indexOf('=') + 1));
  for (;;) {
    const stop = new AbortController();
    // Watches from the start, so that a change during a run counts.
    const change = waitForChange([path, ...inputs], AbortSignal.any([context.signal, stop.signal]));
    change.catch(() => {});
    try {
      await runOnce(context, path, options);
    } catch (error) {
      const code = reportError(error, context.output);
      if (code === EXIT.cancelled) {
        stop.abort();
        return code;
      }
    }
    context.output.note(`Waiting for changes to ${path}. Press Ctrl-C to stop.`);
    await change;
  }
}

async function runOnce(context: Context, path: string, options: RunOptions): Promise<void> {
  const { output, signal } = context;
  const [{ readWorkflow }, { setFiles, setValues }, { followJob }, { makeOutFolder }] = await Promise.all([
    import('../run/read-workflow.ts'),
    import('../run/read-inputs.ts'),
    import('../run/follow-job.ts'),
    import('../run/save-outputs.ts'),
  ]);
  const atelier = await context.atelier();
  const workflow = await readWorkflow(path, context, atelier);
  setValues(workflow, options.set);
  await setFiles(workflow, options.input);
  if (options.wait && options.download) await makeOutFolder(options.out);
  const labels = options.label.length > 0 ? { labels: options.label } : {};
  const job = await atelier.jobs.submit(workflow, { ...labels, signal });
  for (const { message } of job.warnings) output.warn(message);
  if (!options.wait) {
    output.result({ job_id: job.id, status: 'pending' }, () => job.id);
    return;
  }
  output.note(`Job ${job.id}`);
  const result = await followJob(context, job, workflow);
  await showResult(context, result, options);
}

/** Saves the files of a job and says where they are. */
export async function showResult(
  { output, signal }: Context,
  { id, outputs, values }: JobResult,
  { out, download }: Pick<RunOptions, 'out' | 'download'>,
): Promise<void> {
  const { saveOutputs } = await import('../run/save-outputs.ts');
  const shown: object[] = [];
  if (!output.isJson) for (const text of textsIn(values)) output.stdout.write(`${plainText(text)}\n`);
  const describe = ({ name, size, type, nodeId }: JobOutput) => ({ name, size, type, node_id: nodeId });
  if (!download) shown.push(...outputs.map(describe));
  else
    for await (const { output: file, path } of saveOutputs(outputs, {
      folder: out,
      signal,
      again: `atelier download ${id}`,
    })) {
      shown.push({ ...describe(file), path });
      // Paths are printed unchanged, for the next program in a pipe.
      if (!output.isJson) output.stdout.write(`${plainLine(path)}\n`);
    }
  if (output.isJson) output.result({ job_id: id, status: 'completed', outputs: shown, values }, () => '');
}

/** The texts that nodes show. */
function textsIn(values: JobResult['values']): string[] {
  return Object.values(values).flatMap((value) => {
    const { text } = value as { text?: unknown };
    return Array.isArray(text) ? text.filter((one) => typeof one === 'string') : [];
  });
}
