import { homedir, hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MAX_WORKER_LABELS, WORKER_LABEL, WORKER_NAME } from '@atelier/contracts/worker-protocol';

const MB = 2 ** 20;

export class BadOptions extends Error {
  override readonly name = 'BadOptions';
}

export const USAGE = `Usage: npm run worker -- --server URL --token TOKEN [options]

  --server URL        the Atelier server, such as https://atelier.example.com
  --token TOKEN       a worker token of an administrator; or ATELIER_WORKER_TOKEN
  --name NAME         how operators see it (${hostname()})
  --slots N           how many jobs run at once (2)
  --labels A,B        what jobs may ask for, such as gpu
  --memory-mb N       what one job may take (2048)
  --job-minutes N     how long one job may run (30)
  --packs FOLDER      a folder of node packs; may be repeated
  --cache FOLDER      where copies of files are kept (~/.cache/atelier-worker)
  --cache-mb N        how much they may take (4096)

  With a ComfyUI, which then runs the jobs (--slots, --memory-mb and --packs do not apply):
  --comfyui URL            its address, such as http://127.0.0.1:8188
  --start COMMAND          starts it and keeps it running, such as "python main.py"
  --comfyui-folder FOLDER  where it is on this machine: files of jobs are removed there when they are done
  --clear-cache            drops its results and models after each job, so that nothing is shared between users`;

/** Reads the command line. Throws `BadOptions` with a sentence. */
export function readOptions(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const values = parse(args);
  const token = values.token ?? env['ATELIER_WORKER_TOKEN'];
  if (values.server !== undefined && !URL.canParse(values.server))
    throw new BadOptions('--server is the URL of the server.');
  if (!token)
    throw new BadOptions('--token is missing. An administrator creates one with POST /admin/worker-tokens.');
  const comfyui = readComfyUi(values);
  return {
    server: values.server,
    comfyui,
    token,
    name: readName(values.name ?? hostname()),
    slots: wholeNumber('slots', values.slots ?? '2', { min: 1, max: 256 }),
    labels: readLabels(values.labels ?? '', comfyui ? ['comfyui'] : []),
    memoryBytes: wholeNumber('memory-mb', values['memory-mb'] ?? '2048', { min: 64, max: 2 ** 30 }) * MB,
    jobMs: wholeNumber('job-minutes', values['job-minutes'], { min: 1, max: 100_000 }) * 60_000,
    packFolders: values.packs ?? [],
    cache: {
      folder: resolve(
        values.cache ?? join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'atelier-worker'),
      ),
      maxBytes: wholeNumber('cache-mb', values['cache-mb'], { min: 1, max: 2 ** 30 }) * MB,
    },
  };
}

function readName(name: string): string {
  if (isLike(name, WORKER_NAME)) return name;
  throw new BadOptions(`--name must have 1 to ${WORKER_NAME.maxLength} printable characters.`);
}

function readLabels(list: string, others: readonly string[]): string[] {
  const labels = [...new Set([...list.split(',').filter((label) => label !== ''), ...others])];
  const wrong = labels.find((label) => !isLike(label, WORKER_LABEL));
  if (wrong !== undefined)
    throw new BadOptions(`--labels takes lower-case words such as gpu or region:eu, not ${wrong}.`);
  if (labels.length > MAX_WORKER_LABELS)
    throw new BadOptions(`--labels takes at most ${MAX_WORKER_LABELS} labels.`);
  return labels;
}

/** The server would refuse other values at every connection. */
function isLike(text: string, { maxLength, pattern }: typeof WORKER_NAME | typeof WORKER_LABEL): boolean {
  return text.length <= maxLength && new RegExp(pattern, 'u').test(text);
}

function readComfyUi(values: ReturnType<typeof parse>) {
  const { comfyui: url, start, 'comfyui-folder': folder, 'clear-cache': clearsCache = false } = values;
  if (url === undefined) {
    for (const name of ['start', 'comfyui-folder', 'clear-cache'] as const)
      if (values[name] !== undefined) throw new BadOptions(`--${name} needs --comfyui.`);
    return undefined;
  }
  const { protocol, username, password } = URL.parse(url) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new BadOptions('--comfyui is the URL of a ComfyUI, such as http://127.0.0.1:8188.');
  if (username !== '' || password !== '')
    throw new BadOptions('--comfyui has a user name or a password, which a worker does not send.');
  for (const name of ['slots', 'memory-mb', 'packs'] as const)
    if (values[name] !== undefined) throw new BadOptions(`--${name} does not apply with --comfyui.`);
  return { url, start, folder: folder === undefined ? undefined : resolve(folder), clearsCache };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        server: { type: 'string' },
        token: { type: 'string' },
        name: { type: 'string' },
        slots: { type: 'string' },
        labels: { type: 'string' },
        'memory-mb': { type: 'string' },
        'job-minutes': { type: 'string', default: '30' },
        packs: { type: 'string', multiple: true },
        comfyui: { type: 'string' },
        start: { type: 'string' },
        'comfyui-folder': { type: 'string' },
        'clear-cache': { type: 'boolean' },
        cache: { type: 'string' },
        'cache-mb': { type: 'string', default: '4096' },
      },
    }).values;
  } catch (error) {
    throw new BadOptions(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new BadOptions(`--${name} must be an integer from ${min} to ${max}, not ${text}.`);
}
