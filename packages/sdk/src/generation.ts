import { type FileInput, isFileInput } from './files/file-input.ts';
import type { Files } from './files/files.ts';
import { CREATE_ROUTES } from './generation-routes.ts';
import { createTask, type GenerationTask, type TaskKind } from './generation-task.ts';
import type { AnswerName, AnswerOf } from './http/answer.ts';
import { createList, type List } from './http/list.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import { randomKey } from './random-key.ts';
import type {
  ProxyTask,
  ProxyTaskPage,
  RelightRequest,
  SkinCreativeRequest,
  SkinFaithfulRequest,
  SkinFlexibleRequest,
  Vendor,
  VideoTaskRequest,
} from './wire.ts';

/** A picture in a request: a file, base64, a data URL or a public https URL. */
export type Picture = string | FileInput;
type PictureField = 'image' | 'transfer_light_from_reference_image' | 'transfer_light_from_lightmap';
/** A request whose pictures may be files. */
export type WithFiles<Request> = {
  [Field in keyof Request]: Field extends PictureField
    ? Picture | Exclude<Request[Field], string>
    : Field extends 'images'
      ? readonly Picture[]
      : Request[Field];
};

export interface CreateTaskOptions extends CallOptions {
  /** The same key with the same request returns the same task, paid once. By default each call has its own key. */
  readonly idempotencyKey?: string | undefined;
}

export interface TaskFilter extends CallOptions {
  readonly vendor?: ProxyTask['vendor'] | undefined;
  readonly state?: ProxyTask['state'] | undefined;
}

/** Pictures and videos made by vendors, or by local stand-ins on the server. */
export function createGeneration(transport: Transport, files: Pick<Files, 'share'>) {
  async function create<Name extends AnswerName>(
    answer: Name,
    path: string,
    request: object,
    options: CreateTaskOptions,
  ): Promise<AnswerOf<Name>> {
    const { idempotencyKey = randomKey(), ...call } = options;
    const body = await shareFiles(request, files, call.signal);
    return await transport.post(answer, path, {
      ...call,
      body,
      headers: { 'idempotency-key': idempotencyKey },
      isRepeatable: true,
    });
  }

  const image =
    <Request extends object>(kind: 'skin' | 'relight', path: string) =>
    async (request: WithFiles<Request>, options: CreateTaskOptions = {}): Promise<GenerationTask> => {
      const { data, warnings } = await create('ImageTaskResponse', path, request, options);
      return createTask(transport, { kind, id: data.task_id, warnings });
    };

  return {
    /** Enhances skin in a picture. */
    skin: {
      /** Enhances skin and stays closest to the picture. */
      faithful: image<SkinFaithfulRequest>('skin', CREATE_ROUTES.faithful),
      /** Enhances skin with more freedom. */
      creative: image<SkinCreativeRequest>('skin', CREATE_ROUTES.creative),
      /** Enhances skin for a purpose. */
      flexible: image<SkinFlexibleRequest>('skin', CREATE_ROUTES.flexible),
    },

    /** Relights a picture. */
    relight: image<RelightRequest>('relight', CREATE_ROUTES.relight),

    /** Makes a video from a prompt, a start frame in `images`, or both. */
    async video(
      request: WithFiles<VideoTaskRequest>,
      options: CreateTaskOptions = {},
    ): Promise<GenerationTask> {
      const path = (request.images ?? []).length > 0 ? CREATE_ROUTES.imageToVideo : CREATE_ROUTES.textToVideo;
      const task = await create('VideoTaskResponse', path, request, options);
      return createTask(transport, { kind: 'video', id: task.task_id, warnings: task.warnings });
    },

    /** A handle for an existing task. No request is made until it is used. */
    attach: (kind: TaskKind, id: string): GenerationTask => createTask(transport, { kind, id }),

    /** Your tasks, newest first. */
    list({ vendor, state, ...options }: TaskFilter = {}): List<ProxyTask, ProxyTaskPage> {
      return createList<ProxyTask, ProxyTaskPage, string>({
        load: async (after) =>
          await transport.get('ProxyTaskPage', '/proxy/tasks', {
            ...options,
            query: { vendor, state, limit: 100, after },
          }),
        items: ({ tasks }) => tasks,
        next: ({ next_cursor }) => next_cursor,
      });
    },

    /** What each generation costs, in credits. */
    prices: async (options: CallOptions = {}) => await transport.get('PriceList', '/proxy/prices', options),

    /** The vendors that this server uses. */
    vendors: async (options: CallOptions = {}): Promise<Vendor[]> =>
      (await transport.get('VendorList', '/proxy/vendors', options)).vendors,
  };
}

/** Replaces files by links, which the server reads itself. */
async function shareFiles(
  request: object,
  files: Pick<Files, 'share'>,
  signal: AbortSignal | undefined,
): Promise<object> {
  const toLink = async (value: unknown): Promise<unknown> => {
    if (isFileInput(value)) return (await files.share(value, { signal })).download_url;
    return Array.isArray(value) ? await Promise.all(value.map(toLink)) : value;
  };
  const entries = Object.entries(request).map(async ([name, value]) => [name, await toLink(value)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
