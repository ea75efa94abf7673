import type { Job, JobDetail } from '@atelier/sdk';
import { type Command, Option } from 'commander';

import type { Context } from '../context.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { formatDuration, formatTime } from '../output/formats.ts';
import { renderFacts } from '../output/render-facts.ts';
import type { WithContext } from '../program.ts';
import { integerBetween } from './number-option.ts';
import { showResult } from './run.ts';
import { UUID } from './uuid.ts';

const STATUSES = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'] as const;
const MAX_LISTED = 1000;
const MAX_CANCELLED = 100;

export function addJobCommands(program: Command, withContext: WithContext): void {
  program
    .command('jobs')
    .summary('list your jobs')
    .description('Lists your jobs, newest first.')
    .addOption(new Option('--status <status>', 'only these').choices(STATUSES))
    .option('-n, --limit <count>', 'how many', integerBetween(1, MAX_LISTED), 20)
    .action(withContext(list));
  program
    .command('job')
    .summary('show one job')
    .description('Shows a job: its state, what it waits for, what it made or why it failed.')
    .argument('<id>')
    .action(withContext(show));
  program
    .command('watch')
    .summary('follow a job to its end')
    .description('Follows a job to its end and saves its files. The exit code is that of "run".')
    .argument('<id>')
    .option('-o, --out <folder>', 'where files are saved', '.')
    .option('--no-download', 'save no files')
    .action(withContext(watch));
  program
    .command('cancel')
    .summary('cancel jobs')
    .description('Cancels jobs that wait or run: all of them, or none when one is not yours.')
    .argument('<id...>')
    .action(withContext(cancel));
}

async function list(
  { atelier, output, signal }: Context,
  { status, limit }: { readonly status?: Job['status']; readonly limit: number },
): Promise<void> {
  const jobs: Job[] = [];
  const filter = { pageSize: Math.min(limit, 100), signal, ...(status && { status }) };
  for await (const job of (await atelier()).jobs.list(filter)) {
    jobs.push(job);
    if (jobs.length >= limit) break;
  }
  output.result({ jobs }, () =>
    jobs.length === 0
      ? 'No jobs.'
      : output.table(jobs, [
          { title: 'ID', text: ({ id }) => id, isWhole: true },
          { title: 'STATUS', text: (job) => job.status },
          { title: 'SUBMITTED', text: ({ create_time }) => formatTime(create_time) },
          { title: 'TOOK', text: durationOf, align: 'right' },
          { title: 'FILES', text: ({ outputs_count }) => String(outputs_count), align: 'right' },
        ]),
  );
}

function durationOf({ execution_start_time: start, execution_end_time: end }: Job): string {
  return start === undefined || end === undefined ? '' : formatDuration(end - start);
}

async function show({ atelier, output, signal }: Context, id: string): Promise<ExitCode> {
  const job = await (await atelier()).jobs.get(id, { signal });
  output.result(job, () => describe(job));
  return EXIT.done;
}

function describe(job: JobDetail): string {
  const error = job.execution_error as
    | { exception_message?: string; node_id?: string; node_type?: string }
    | undefined;
  return renderFacts([
    ['job', job.id],
    ['status', job.status],
    ['submitted', formatTime(job.create_time)],
    ['started', formatTime(job.execution_start_time)],
    ['ended', formatTime(job.execution_end_time)],
    ['took', durationOf(job)],
    ['position', job.queue_position?.toString()],
    ['starts in', formatDuration(job.estimated_start_in_ms)],
    ['waits for', job.waiting_for],
    ['files', job.outputs_count > 0 ? String(job.outputs_count) : undefined],
    ['node', error?.node_id && `${error.node_id} (${error.node_type})`],
    ['error', error?.exception_message?.trim()],
  ]);
}

async function watch(
  context: Context,
  id: string,
  options: { readonly out: string; readonly download: boolean },
): Promise<void> {
  const { followJob } = await import('../run/follow-job.ts');
  const { loadWorkflow } = await import('@atelier/sdk');
  const jobs = (await context.atelier()).jobs;
  const { workflow } = await jobs.get(id, { signal: context.signal });
  const result = await followJob(context, jobs.attach(id), loadWorkflow(workflow.prompt));
  await showResult(context, result, options);
}

async function cancel({ atelier, output, signal }: Context, ids: readonly string[]): Promise<void> {
  const wrong = ids.find((id) => !UUID.test(id));
  if (wrong !== undefined)
    throw new CliError(`"${wrong}" is not the id of a job.`, { advice: 'See "atelier jobs".' });
  const { jobs } = await atelier();
  const cancelled: string[] = [];
  for (let at = 0; at < ids.length; at += MAX_CANCELLED)
    cancelled.push(...(await jobs.cancel(ids.slice(at, at + MAX_CANCELLED), { signal })));
  output.result({ cancelled }, () =>
    ids.map((id) => `${id} ${cancelled.includes(id) ? 'cancelled' : 'had ended already'}`).join('\n'),
  );
}
