import { TaskFailedError } from './errors.ts';
import { createRemoteFile, type RemoteFile } from './files/remote-file.ts';
import { READ_ROUTES } from './generation-routes.ts';
import { sleep } from './http/deadline.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type { ImageTaskData, VideoCreations } from './wire.ts';

export type TaskKind = keyof typeof READ_ROUTES;

/** The state of a task, in the same terms for pictures and videos. */
export interface TaskStatus {
  readonly id: string;
  readonly state: 'waiting' | 'running' | 'completed' | 'failed';
  /** From 0 to 1, if known. */
  readonly fraction: number;
  /** Links to the results, valid for a day; each call returns new ones. */
  readonly links: readonly string[];
  /** The answer of the server. */
  readonly detail: ImageTaskData | VideoCreations;
}

export interface TaskResult extends TaskStatus {
  /** The results: pictures, or videos with their covers. */
  readonly files: readonly RemoteFile[];
}

export interface TaskResultOptions extends CallOptions {
  readonly onProgress?: ((status: TaskStatus) => void) | undefined;
}

/** One generation at a vendor. */
export interface GenerationTask {
  readonly id: string;
  readonly kind: TaskKind;
  /** What was sent but ignored, one sentence each. */
  readonly warnings: readonly string[];
  status(options?: CallOptions): Promise<TaskStatus>;
  /** Yields each change until the task has succeeded or failed. */
  follow(options?: CallOptions): AsyncIterable<TaskStatus>;
  /** Waits for the end. Throws a `TaskFailedError` if the task fails; its credits are refunded then. */
  result(options?: TaskResultOptions): Promise<TaskResult>;
}

const FIRST_POLL_MS = 250;
const MAX_POLL_MS = 5000;

const IMAGE_STATES: Readonly<Record<string, TaskStatus['state']>> = {
  CREATED: 'waiting',
  IN_PROGRESS: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
};
const VIDEO_STATES: Readonly<Record<string, TaskStatus['state']>> = {
  created: 'waiting',
  queueing: 'waiting',
  processing: 'running',
  success: 'completed',
  failed: 'failed',
};

export function createTask(
  transport: Transport,
  {
    kind,
    id,
    warnings = [],
  }: { readonly kind: TaskKind; readonly id: string; readonly warnings?: readonly string[] | undefined },
): GenerationTask {
  async function status(options: CallOptions = {}): Promise<TaskStatus> {
    const route = READ_ROUTES[kind](id);
    if (kind === 'video') return ofVideo(await transport.get('VideoCreations', route, options));
    return ofImage((await transport.get('ImageTaskResponse', route, options)).data);
  }

  async function* follow(options: CallOptions = {}): AsyncGenerator<TaskStatus> {
    let lastKey = '';
    for (let pause = FIRST_POLL_MS; ; pause = Math.min(MAX_POLL_MS, pause * 1.5)) {
      const now = await status(options);
      const key = `${now.state} ${now.fraction}`;
      if (key !== lastKey) yield now;
      lastKey = key;
      if (now.state === 'completed' || now.state === 'failed') return;
      await sleep(pause, options.signal);
    }
  }

  return {
    id,
    kind,
    warnings,
    status,
    follow,
    async result({ onProgress, ...options } = {}) {
      let last: TaskStatus | undefined;
      for await (const now of follow(options)) {
        onProgress?.(now);
        last = now;
      }
      const ended = last ?? (await status(options));
      if (ended.state === 'failed') throw failureOf(ended);
      const files = ended.links.map((link, index) =>
        createRemoteFile(transport, {
          name: nameIn(link),
          open: async (init) => {
            // Links expire after a day; reading the task gives new ones.
            const response = await transport.openLink(link, init);
            if (response.status !== 403) return response;
            await response.body?.cancel();
            return await transport.openLink((await status(options)).links[index] ?? link, init);
          },
        }),
      );
      return { ...ended, files };
    },
  };
}

function ofImage(detail: ImageTaskData): TaskStatus {
  const state = IMAGE_STATES[detail.status] ?? 'running';
  return {
    id: detail.task_id,
    state,
    fraction: state === 'completed' ? 1 : 0,
    links: detail.generated,
    detail,
  };
}

function ofVideo(detail: VideoCreations): TaskStatus {
  const state = VIDEO_STATES[detail.state] ?? 'running';
  return {
    id: detail.id,
    state,
    fraction: state === 'completed' ? 1 : detail.progress / 100,
    links: detail.creations.flatMap(({ url, watermarked_url: marked }) =>
      marked === undefined ? [url] : [url, marked],
    ),
    detail,
  };
}

function failureOf({ id, detail }: TaskStatus): TaskFailedError {
  if ('err_code' in detail) return new TaskFailedError(id, detail.err_code, detail.err_msg);
  return new TaskFailedError(id, detail.error?.code ?? '', detail.error?.message ?? '');
}

function nameIn(link: string): string {
  const last = new URL(link).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || 'file';
  } catch {
    return last;
  }
}
