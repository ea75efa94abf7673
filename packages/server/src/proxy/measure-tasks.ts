import { TASK_KINDS, type TaskKind } from '@atelier/contracts';

import type { Meters } from '../platform/metrics/create-meters.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import { countAllOpen, type OpenTasks, type Task } from './tasks.repo.ts';
import { type VendorAdapter, type VendorTaskStatus, VendorTrouble } from './vendors/vendor.ts';

interface Parts extends ServiceParts {
  readonly meters: Meters;
  readonly adapters: readonly VendorAdapter[];
}

/** Measures tasks, and the calls of the adapters that it returns. */
export function measureTasks({ db, clock, meters, adapters }: Parts) {
  const names = adapters.map(({ name }) => name);
  const outcomes = { kind: TASK_KINDS, outcome: ['done', 'failed'] } as const;
  meters.gauge({
    name: 'atelier_tasks',
    help: 'Tasks that have not ended, of all servers on this database.',
    // An adapter that is no longer in the settings appears with its remaining tasks.
    labels: { adapter: names, state: ['waiting', 'running', 'put_off'] },
    read: async () => addUp(await countAllOpen(db, clock())),
  });
  const ended = meters.counter({
    name: 'atelier_tasks_ended_total',
    help: 'Tasks that this server has ended.',
    labels: outcomes,
  });
  const durations = meters.seconds({
    name: 'atelier_task_seconds',
    help: 'Time from the creation of a task to its end.',
    labels: outcomes,
  });
  const calls = meters.counter({
    name: 'atelier_vendor_calls_total',
    help: 'Calls of vendors, and of renderers on this machine.',
    labels: {
      adapter: names,
      call: ['begin', 'check'],
      // `failed`: the task has failed. `trouble`: may pass. `error`: stopped, or a bug.
      outcome: ['answered', 'failed', 'trouble', 'error'],
    },
  });

  async function count(adapter: string, call: 'begin' | 'check', answer: Promise<VendorTaskStatus>) {
    try {
      const taskStatus = await answer;
      calls.add({ adapter, call, outcome: taskStatus.state === 'failed' ? 'failed' : 'answered' });
      return taskStatus;
    } catch (error) {
      calls.add({ adapter, call, outcome: error instanceof VendorTrouble ? 'trouble' : 'error' });
      throw error;
    }
  }

  return {
    adapters: adapters.map(
      (adapter): VendorAdapter => ({
        ...adapter,
        begin: async (...args) => await count(adapter.name, 'begin', adapter.begin(...args)),
        check: async (...args) => await count(adapter.name, 'check', adapter.check(...args)),
      }),
    ),
    onEnded(task: Task, outcome: 'done' | 'failed'): void {
      const of = { kind: task.kind as TaskKind, outcome };
      ended.add(of);
      durations.observe(of, (clock() - task.created_at) / 1000);
    },
  };
}

/** Sums both stages of an adapter. */
function addUp(rows: readonly OpenTasks[]) {
  return Map.groupBy(rows, ({ adapter }) => adapter)
    .entries()
    .flatMap(([adapter, own]) => {
      const sum = (of: (row: OpenTasks) => number): number => own.reduce((total, row) => total + of(row), 0);
      return [
        [{ adapter, state: 'waiting' }, sum(({ is_put_off, due }) => (is_put_off ? 0 : due))],
        [{ adapter, state: 'running' }, sum(({ is_put_off, later }) => (is_put_off ? 0 : later))],
        [{ adapter, state: 'put_off' }, sum(({ is_put_off, due, later }) => (is_put_off ? due + later : 0))],
      ] as const;
    })
    .toArray();
}
