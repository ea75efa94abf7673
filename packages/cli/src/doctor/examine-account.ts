import type { Account, ApiKey, Atelier } from '@atelier/sdk';

import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { formatBytes } from '../output/formats.ts';
import type { ChosenServer } from '../profiles/choose-server.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const NEARLY_FULL = 0.9;

/** Checks the key and its account: scopes, plan, storage and workers. */
export async function* examineAccount(
  { atelier: connect, signal }: Context,
  server: ChosenServer,
): AsyncGenerator<Finding> {
  const signIn = `Sign in with "atelier login --url ${server.url}".`;
  if (server.apiKey === undefined) {
    yield problem('key', 'There is none, so the server will refuse nearly everything.', signIn, EXIT.refused);
    return;
  }
  const { AtelierError } = await import('@atelier/sdk');
  /** A request that this key may not make is not a problem of the server. */
  const unlessRefused = async <T>(work: Promise<T>): Promise<T | undefined> =>
    await work.catch((error: unknown) => {
      if (error instanceof AtelierError && (error.status === 401 || error.status === 403)) return undefined;
      throw error;
    });
  try {
    const atelier = await connect();
    const account = await unlessRefused(atelier.account.get({ signal }));
    if (!account) {
      yield problem('key', `The server refuses the key from ${server.keyFrom}.`, signIn, EXIT.refused);
      return;
    }
    const scopes = server.scopes ?? (await unlessRefused(scopesOf(atelier, server.apiKey, signal)));
    yield ok(
      'key',
      `${account.email}, ${account.role}; ${scopes ? `scopes: ${scopes.join(' ')}` : 'scopes not visible'}`,
      {
        email: account.email,
        role: account.role,
        scopes: scopes ?? null,
      },
    );
    yield checkPlan(account);
    const use = await unlessRefused(atelier.account.usage({ signal }));
    if (use) yield checkStorage(use.storage);
    const workers =
      account.role === 'admin' ? await unlessRefused(atelier.admin.workers.list({ signal })) : undefined;
    if (workers) yield* checkWorkers(workers);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AtelierError)) throw error;
    const exitCode = error.code === 'client.usage' ? EXIT.usage : EXIT.unreachable;
    yield problem('account', error.message, 'Look at the log of the server.', exitCode);
  }
}

/** Keys are identified by their first characters. */
async function scopesOf(
  atelier: Atelier,
  apiKey: string,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const keys: readonly (ApiKey & { scopes?: readonly string[] })[] = await atelier.keys.list({ signal });
  const found = keys.filter(({ key_prefix: prefix }) => apiKey.startsWith(prefix.replace(/[….*]+$/, '')));
  return found.length === 1 ? (found[0]?.scopes ?? ['all']) : undefined;
}

function checkPlan({ subscription, credits }: Account): Finding {
  const { tier, status, concurrent_jobs: jobs } = subscription;
  const data = { tier, plan_status: status, concurrent_jobs: jobs, credits };
  if (jobs === 0)
    return warning(
      'plan',
      `${tier}, ${status}: no job may run.`,
      'An administrator can change it with "atelier subscriptions set".',
      data,
    );
  return ok('plan', `${tier}, ${jobs} ${jobs === 1 ? 'job' : 'jobs'} at once, ${credits} credits`, data);
}

function checkStorage(storage: { readonly used_bytes: number; readonly quota_bytes: number }): Finding {
  const { used_bytes: used, quota_bytes: quota } = storage;
  const message = `${formatBytes(used)} of ${formatBytes(quota)} used`;
  return used < quota * NEARLY_FULL
    ? ok('storage', message, storage)
    : warning('storage', `${message}.`, 'Delete files you no longer need.', storage);
}

type Workers = Awaited<ReturnType<Atelier['admin']['workers']['list']>>;

function* checkWorkers(workers: Workers): Generator<Finding> {
  const ready = workers.filter(({ state, problem: why }) => state === 'ready' && why === undefined);
  const kinds = [...new Set(ready.map(({ kind }) => kind))].map(
    (kind) => `${ready.filter((one) => one.kind === kind).length} ${kind}`,
  );
  const data = { ready: ready.length, connected: workers.length };
  if (ready.length > 0) yield ok('workers', `${kinds.join(', ')} ready`, data);
  else
    yield problem(
      'workers',
      'None is ready, so jobs wait.',
      'Start one with "atelier worker", or look at "atelier workers list".',
      EXIT.failed,
    );
  for (const { name, state, reason, problem: why } of workers) {
    if (why !== undefined) yield warning('worker', `${name} cannot start a job: ${why}.`, 'Look at its log.');
    else if (state === 'away')
      yield warning('worker', `${name} has lost its connection.`, 'Check that it is running.');
    else if (state !== 'ready')
      yield warning(
        'worker',
        `${name} is ${state}${reason ? `: ${reason}` : ''}.`,
        'Let it work again with "atelier workers release".',
      );
  }
}
