import type { Account, ApiKey, Atelier } from '@atelier/sdk';

import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { formatBytes } from '../output/formats.ts';
import type { ChosenServer } from '../profiles/choose-server.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const FULL = 0.9;

/** What the key is good for, and what there is for its account. */
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
  /** What the server refuses to this key is not a problem of the server. */
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
    yield judgePlan(account);
    const use = await unlessRefused(atelier.account.usage({ signal }));
    if (use) yield judgeStorage(use.storage);
    const workers =
      account.role === 'admin' ? await unlessRefused(atelier.admin.workers.list({ signal })) : undefined;
    if (workers) yield* judgeWorkers(workers);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AtelierError)) throw error;
    const exitCode = error.code === 'client.usage' ? EXIT.usage : EXIT.unreachable;
    yield problem('account', error.message, 'Look at the log of the server.', exitCode);
  }
}

/** Keys are told apart by their first characters. */
async function scopesOf(
  atelier: Atelier,
  apiKey: string,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const keys: readonly (ApiKey & { scopes?: readonly string[] })[] = await atelier.keys.list({ signal });
  const found = keys.filter(({ key_prefix: prefix }) => apiKey.startsWith(prefix.replace(/[….*]+$/, '')));
  return found.length === 1 ? (found[0]?.scopes ?? ['all']) : undefined;
}

function judgePlan({ subscription, credits }: Account): Finding {
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

function judgeStorage(storage: { readonly used_bytes: number; readonly quota_bytes: number }): Finding {
  const { used_bytes: used, quota_bytes: quota } = storage;
  const message = `${formatBytes(used)} of ${formatBytes(quota)} used`;
  return used < quota * FULL
    ? ok('storage', message, storage)
    : warning('storage', `${message}.`, 'Delete files that you need no longer.', storage);
}

type Workers = Awaited<ReturnType<Atelier['admin']['workers']['list']>>;

function* judgeWorkers(workers: Workers): Generator<Finding> {
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
    if (why !== undefined) yield warning('worker', `${name} can begin no job: ${why}.`, 'Look at its log.');
    else if (state === 'away')
      yield warning('worker', `${name} has lost its connection.`, 'See whether it runs.');
    else if (state !== 'ready')
      yield warning(
        'worker',
        `${name} is ${state}${reason ? `: ${reason}` : ''}.`,
        'Let it work again with "atelier workers release".',
      );
  }
}
