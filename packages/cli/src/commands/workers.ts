import type { Worker } from '@atelier/sdk';
import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { formatBytes, formatDuration, formatTime } from '../output/formats.ts';
import { renderFacts } from '../output/render-facts.ts';
import type { WithContext } from '../program.ts';
import { addYesOption, type ConfirmOptions, confirm } from './confirm.ts';
import { addWorkerTokenCommands } from './worker-tokens.ts';

const WORKER = ['<worker>', 'its id or name'] as const;

/** For administrators. */
export function addWorkerCommands(program: Command, withContext: WithContext): void {
  const group = program
    .command('workers')
    .summary('what runs jobs (administrators)')
    .description('The processes that run jobs, for administrators.');
  group.command('list').description('Lists workers and what they do.').action(withContext(list));
  group
    .command('show')
    .description('Shows a worker: its machine, jobs, models and last errors.')
    .argument(...WORKER)
    .action(withContext(show));
  group.command('demand').description('Shows what waits for workers, by label.').action(withContext(demand));
  addYesOption(
    group
      .command('drain')
      .description('Lets a worker finish its jobs and gives it no more.')
      .argument(...WORKER),
  ).action(withContext(drain));
  addYesOption(
    group
      .command('quarantine')
      .description('Keeps jobs away from a worker until it is released.')
      .argument(...WORKER)
      .requiredOption('--reason <text>', 'for other administrators'),
  ).action(withContext(quarantine));
  group
    .command('release')
    .description('Lets a worker take jobs again.')
    .argument(...WORKER)
    .action(withContext(release));
  addWorkerTokenCommands(group, withContext);
}

async function list({ atelier, output, signal }: Context): Promise<void> {
  const workers = await (await atelier()).admin.workers.list({ signal });
  output.result({ workers }, () =>
    workers.length === 0
      ? 'No worker is connected.'
      : output.table(workers, [
          { title: 'NAME', text: ({ name }) => name },
          { title: 'STATE', text: ({ state }) => state },
          { title: 'KIND', text: ({ kind }) => kind },
          { title: 'JOBS', text: ({ jobs, slots }) => `${jobs.length}/${slots}`, align: 'right' },
          { title: 'MODELS', text: (worker) => String(countModels(worker)), align: 'right' },
          { title: 'LABELS', text: ({ labels }) => labels.join(' ') },
          { title: 'PROBLEM', text: ({ problem, reason }) => problem ?? reason ?? '' },
          { title: 'ID', text: ({ id }) => id },
        ]),
  );
}

function countModels({ models }: Worker): number {
  return Object.values(models).reduce((sum, count) => sum + count, 0);
}

async function findWorker({ atelier, signal }: Context, name: string): Promise<Worker> {
  const workers = await (await atelier()).admin.workers.list({ signal });
  const found = workers.filter((worker) => worker.id === name || worker.name === name);
  if (found.length === 1 && found[0]) return found[0];
  throw new CliError(
    found.length === 0 ? `There is no worker ${name}.` : `${found.length} workers are called ${name}.`,
    { exitCode: EXIT.refused, advice: 'Name its id; "atelier workers list" shows it.' },
  );
}

async function show(context: Context, name: string): Promise<void> {
  const worker = await findWorker(context, name);
  context.output.result(worker, () => describe(worker));
}

function describe(worker: Worker): string {
  const { ram, gpus, jobs, errors, models } = worker;
  return renderFacts([
    ['worker', worker.id],
    ['name', worker.name],
    ['state', worker.state],
    ['reason', worker.reason],
    ['problem', worker.problem],
    ['kind', `${worker.kind} ${worker.version}`],
    ['server', worker.server],
    ['labels', worker.labels.join(' ')],
    ['slots', worker.slots],
    ['memory', ram && `${formatBytes(ram.free_bytes)} free of ${formatBytes(ram.total_bytes)}`],
    ...gpus.map((gpu) => ['gpu', `${gpu.name}, ${formatBytes(gpu.memory_bytes)}`] as const),
    ...Object.entries(models).map(([folder, count]) => ['models', `${count} in ${folder}`] as const),
    ...jobs.map(
      ({ job_id, node_type }) => ['job', `${job_id}${node_type ? ` at ${node_type}` : ''}`] as const,
    ),
    ...errors.map(({ at, message, job_id }) => ['error', `${formatTime(at)} ${job_id}: ${message}`] as const),
    ['connected', formatTime(worker.connected_at)],
    ['seen', formatTime(worker.seen_at)],
  ]);
}

async function demand({ atelier, output, signal }: Context): Promise<void> {
  const labels = await (await atelier()).admin.workers.demand({ signal });
  output.result({ labels }, () =>
    labels.length === 0
      ? 'Nothing waits.'
      : output.table(labels, [
          { title: 'LABEL', text: ({ label }) => label },
          { title: 'WAITING', text: ({ waiting_jobs }) => String(waiting_jobs), align: 'right' },
          { title: 'OLDEST', text: (one) => formatDuration(one.oldest_seconds * 1000), align: 'right' },
          { title: 'SLOTS', text: ({ slots }) => String(slots), align: 'right' },
          { title: 'WORK', text: (one) => formatDuration(one.waiting_seconds * 1000), align: 'right' },
        ]),
  );
}

async function drain(context: Context, name: string, confirmOptions: ConfirmOptions): Promise<void> {
  const { id } = await findWorker(context, name);
  await confirm(context, `Give ${name} no more jobs?`, confirmOptions);
  await (await context.atelier()).admin.workers.drain(id, { signal: context.signal });
  context.output.result({ draining: id }, () => `${id} takes no more jobs`);
}

async function quarantine(
  context: Context,
  name: string,
  { reason, ...confirmOptions }: ConfirmOptions & { readonly reason: string },
): Promise<void> {
  const { id } = await findWorker(context, name);
  await confirm(context, `Keep jobs away from ${name}?`, confirmOptions);
  await (await context.atelier()).admin.workers.quarantine(id, reason, { signal: context.signal });
  context.output.result({ quarantined: id }, () => `${id} is quarantined`);
}

async function release(context: Context, name: string): Promise<void> {
  const { id } = await findWorker(context, name);
  await (await context.atelier()).admin.workers.release(id, { signal: context.signal });
  context.output.result({ released: id }, () => `${id} takes jobs again`);
}
