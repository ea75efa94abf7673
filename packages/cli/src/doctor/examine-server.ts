import { EXIT } from '../exit-codes.ts';
import { plainLine } from '../output/plain-text.ts';
import { readVersion } from '../version.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const TIMEOUT_MS = 10_000;
const SLOW_MS = 500;
const MAX_SKEW_S = 60;
const SAMPLES = 3;
const MAX_TEXT = 10_000;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly date: number;
  readonly ms: number;
}

/** Checks the public endpoints of a server: version, health, clock and latency. */
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
  yield checkVersion(url, version);
  if (health.status === 200) yield ok('health', 'it can do its work');
  else {
    const reason = plainLine(health.text).slice(0, 300) || `It answered ${health.status}.`;
    yield problem('health', reason, 'Tell the operator of the server.', EXIT.unreachable);
  }
  yield checkClock(version);
  const times = [version.ms];
  while (times.length < SAMPLES) times.push((await ask('/version')).ms);
  // The first request also opened the connection.
  const best = Math.round(Math.min(...times));
  yield best < SLOW_MS
    ? ok('latency', `${best} ms`, { ms: best })
    : warning(
        'latency',
        `${best} ms.`,
        'Previews and progress will lag. Use a closer server or a faster network.',
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

function checkVersion(url: string, { status, text }: Answer): Finding {
  const theirs = status === 200 ? versionIn(text) : undefined;
  const ours = readVersion();
  if (theirs === undefined) {
    const advice = 'Check the address, or update the server.';
    return problem('version', `${url} is not an Atelier server, or it is too old.`, advice, EXIT.unreachable);
  }
  const data = { server_version: theirs, version: ours };
  // Before 1.0 the minor version decides.
  const [us, them] = [ours, theirs].map((version) => version.split('.').slice(0, 2).map(Number));
  const [a = 0, b = 0] = us ?? [];
  const [c = 0, d = 0] = them ?? [];
  if (a === c && (a > 0 || b === d)) return ok('version', `${theirs}, compatible with ${ours} here`, data);
  const isOlder = a < c || (a === c && b < d);
  return warning(
    'version',
    `The server has ${theirs}, this program ${ours}.`,
    isOlder
      ? 'Update this program.'
      : 'Update the server, or install the version of this program that matches it.',
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

function checkClock({ date }: Answer): Finding {
  if (Number.isNaN(date))
    return warning('clock', 'The server sent no Date header.', 'A proxy may have removed it.');
  const skew = Math.round((Date.now() - date) / 1000);
  if (Math.abs(skew) <= MAX_SKEW_S) return ok('clock', 'both sides agree', { skew_seconds: skew });
  const side = skew > 0 ? 'ahead of' : 'behind';
  return warning(
    'clock',
    `This machine is ${Math.abs(skew)} seconds ${side} the server.`,
    'Sync both with NTP: webhook signatures and links to files depend on it.',
    { skew_seconds: skew },
  );
}
