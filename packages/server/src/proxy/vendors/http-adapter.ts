import type { TaskKind, VendorName } from '@atelier/contracts';

import { type Fields, toFailure, unreadable, type VendorError } from './classify-answer.ts';
import { toResultFile } from './result-files.ts';
import type { FileRole, VendorAdapter, VendorTask, VendorTaskStatus } from './vendor.ts';
import { createVendorHttp, type HttpVendorOptions, type VendorDialect } from './vendor-http.ts';
import { readPictures } from './vendor-pictures.ts';
import { toTaskId } from './vendor-text.ts';

export interface TaskDialect extends VendorDialect {
  /** Stored with tasks, so never renamed. */
  readonly adapter: string;
  readonly title: string;
  /** The main result, without which a task has failed. */
  readonly makes: Extract<FileRole, 'picture' | 'video'>;
  readonly about: (host: string) => string;
  /** For all inline pictures of a request together. */
  readonly maxInlineBytes: number;
  readonly toPicture: (base64: string, mediaType: string) => string;
  readonly toRequest: (
    task: VendorTask,
    pictures: Fields,
    callbackUrl: string | undefined,
  ) => { readonly path: string; readonly body: Fields };
  readonly toCheckPath: (vendorTaskId: string, kind: TaskKind) => string;
  readonly dataOf: (body: Fields) => Fields;
  readonly stateField: string;
  /** The vendor's words in lower case; any other means running. */
  readonly states: Readonly<Record<string, 'queued' | 'done' | 'failed'>>;
  readonly failureOf: (data: Fields) => VendorError;
  readonly resultsOf: (data: Fields, task: VendorTask) => readonly (readonly [FileRole, unknown])[];
  readonly pollMs: (task: VendorTask) => number;
}

const PLACES = 16;

/** The named settings, without those that are absent or have the vendor's default. */
export function pickSettings(settings: Fields, names: readonly string[], defaults: Fields = {}): Fields {
  return Object.fromEntries(
    names
      .map((name) => [name, settings[name]] as const)
      .filter(([name, value]) => value !== undefined && value !== defaults[name]),
  );
}

/** The public API of a vendor. None of these APIs makes a repeated request harmless. */
export function createHttpAdapter(
  vendor: VendorName,
  dialect: TaskDialect,
  options: HttpVendorOptions,
): VendorAdapter {
  const { called, makes, states, pollMs } = dialect;
  const { outbound } = options;
  const http = createVendorHttp(dialect, options);
  const stateOf = (data: Fields): string => {
    const word = data[dialect.stateField];
    return typeof word === 'string' ? word.toLowerCase() : '';
  };

  function toFailed(data: Fields): VendorTaskStatus {
    const message = `${called} could not make the ${makes}.`;
    return toFailure(http.side, dialect.failureOf(data), { code: 'VendorFailed', message });
  }

  function toUnderWay(vendorTaskId: string, data: Fields, task: VendorTask): VendorTaskStatus {
    const { progress } = data;
    return {
      state: states[stateOf(data)] === 'queued' ? 'queued' : 'running',
      vendorTaskId,
      ...(typeof progress === 'number' && { progress: Math.min(Math.max(progress, 0), 100) }),
      askAgainMs: pollMs(task),
    };
  }

  async function toDone(data: Fields, task: VendorTask, signal: AbortSignal): Promise<VendorTaskStatus> {
    const found = await Promise.all(
      dialect
        .resultsOf(data, task)
        .map(async ([role, url]) => await toResultFile(outbound, url, { role, signal })),
    );
    const files = found.filter((file) => file !== undefined);
    if (files.some(({ role }) => role === makes)) return { state: 'done', files };
    const message = `${called} reports a finished ${makes}, but no address from which it can be fetched.`;
    return { state: 'failed', code: 'NoResult', message };
  }

  return {
    name: dialect.adapter,
    vendor,
    isRepeatable: false,
    places: PLACES,
    description: { title: dialect.title, isLocal: false, about: dialect.about(http.host), host: http.host },

    async begin(task, { signal, callbackUrl }) {
      const pictures = await readPictures(task, { ...dialect, signal });
      if (pictures.state === 'failed') return pictures;
      const { path, body } = dialect.toRequest(task, pictures.texts, callbackUrl);
      const result = await http.ask('begin', path, signal, body);
      if (result.state === 'failed') return result;
      const data = dialect.dataOf(result.body);
      if (states[stateOf(data)] === 'failed') return toFailed(data);
      const id = toTaskId(data.task_id);
      if (id === undefined) throw unreadable(http.side, 'begin');
      return toUnderWay(id, data, task);
    },

    async check(vendorTaskId, task, { signal }) {
      const path = dialect.toCheckPath(encodeURIComponent(vendorTaskId), task.kind);
      const result = await http.ask('check', path, signal);
      if (result.state === 'failed') return result;
      const data = dialect.dataOf(result.body);
      const word = stateOf(data);
      if (word === '') throw unreadable(http.side, 'check');
      if (states[word] === 'failed') return toFailed(data);
      return states[word] === 'done'
        ? await toDone(data, task, signal)
        : toUnderWay(vendorTaskId, data, task);
    },

    close: async () => outbound.close(),
  };
}
