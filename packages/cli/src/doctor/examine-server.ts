import { EXIT } from '../exit-codes.ts';
import { plainLine } from '../output/plain-text.ts';
import { readVersion } from '../version.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const TIMEOUT_MS = 10_000;
const SLOW_MS = 500;
const SKEW_S = 60;
const TRIES = 3;
const MAX_TEXT = 10_000;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly date: number;
  readonly ms: number;
}

/** What a server says of itself to everybody. */
export async function* examineServer(url: string, signal: AbortSignal): AsyncGenerator<Finding> {
  const ask = async (path: string): Promise<Answer> =>
    await askOnce(`${url.replace(/\/+$/, '')}${path}`, signal);
  let version: Answer;
  let health: Answer;
  try {
    version = await ask('/version');
    health = await ask('/health');
  } catch (error) {
    signal.throwIfAborted();
    const { cause, message } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    yield problem('server', `It does not answer (${plainLine(why)}).`, 'Look at its log.', EXIT.unreachable);
    return;
  }
  yield judgeVersion(url, version);
  if (health.status === 200) yield ok('health', 'it can do its work');
  else {
    const said = plainLine(health.text).slice(0, 300) || `It answered ${health.status}.`;
    yield problem('health', said, 'Tell the operator of the server.', EXIT.unreachable);
  }
  yield judgeClock(version);
  const times = [version.ms];
  while (times.length < TRIES) times.push((await ask('/version')).ms);
  // The first has opened the connection.
  const best = Math.round(Math.min(...times));
  yield best < SLOW_MS
    ? ok('latency', `${best} ms`, { ms: best })
    : warning(
        'latency',
        `${best} ms.`,
        'Previews and progress will lag. Use a server that is nearer, or a better network.',
        { ms: best },
      );
}

async function askOnce(address: string, signal: AbortSignal): Promise<Answer> {
  const began = performance.now();
  const response = await fetch(address, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const ms = performance.now() - began;
  const isShort = Number(response.headers.get('content-length') ?? 0) <= MAX_TEXT;
  const text = isShort ? (await response.text()).slice(0, MAX_TEXT) : '';
  if (!isShort) await response.body?.cancel();
  return { status: response.status, text, ms, date: Date.parse(response.headers.get('date') ?? '') };
}

function judgeVersion(url: string, { status, text }: Answer): Finding {
  const theirs = status === 200 ? versionIn(text) : undefined;
  const ours = readVersion();
  if (theirs === undefined) {
    const advice = 'Check the address, or update the server.';
    return problem('version', `${url} is not an Atelier server, or it is too old.`, advice, EXIT.unreachable);
  }
  const data = { server_version: theirs, version: ours };
  // Until 1.0 the second number counts.
  const [us, them] = [ours, theirs].map((version) => version.split('.').slice(0, 2).map(Number));
  const [a = 0, b = 0] = us ?? [];
  const [c = 0, d = 0] = them ?? [];
  if (a === c && (a > 0 || b === d)) return ok('version', `${theirs}, which fits ${ours} here`, data);
  const isOlder = a < c || (a === c && b < d);
  return warning(
    'version',
    `The server has ${theirs}, this program ${ours}.`,
    isOlder ? 'Update this program.' : 'Update the server, or use the program of its version.',
    data,
  );
}

function versionIn(text: string): string | undefined {
  try {
    const { name, version } = JSON.parse(text) as { name?: unknown; version?: unknown };
    return name === 'atelier' && typeof version === 'string' ? version.slice(0, 50) : undefined;
  } catch {
    return undefined;
  }
}

function judgeClock({ date }: Answer): Finding {
  if (Number.isNaN(date))
    return warning('clock', 'The server does not say what time it has.', 'A proxy may hide it.');
  const skew = Math.round((Date.now() - date) / 1000);
  if (Math.abs(skew) <= SKEW_S) return ok('clock', 'both sides agree', { skew_seconds: skew });
  const side = skew > 0 ? 'ahead of' : 'behind';
  return warning(
    'clock',
    `This machine is ${Math.abs(skew)} seconds ${side} the server.`,
    'Set both by NTP: signatures of webhooks and links to files depend on it.',
    { skew_seconds: skew },
  );
}
