import type { TaskKind } from '../task-kinds.ts';
import { isRecord, toTaskId } from './foreign-text.ts';
import { type Fields, toFailure, unreadable } from './judge-answer.ts';
import { pickSettings } from './pick-settings.ts';
import { toResultFile } from './result-files.ts';
import type { VendorAdapter, VendorStanding } from './vendor.ts';
import { createVendorHttp, type HttpVendorOptions, type VendorDialect } from './vendor-http.ts';
import { readPictures } from './vendor-pictures.ts';

const CALLED = 'The image vendor';
const ASK_AGAIN_MS = 2_000;
const PLACES = 16;
const MAX_RESULTS = 16;
const MAX_EXPLAINED_FIELDS = 5;
/** The vendor names no limit; this is what one of our own uploads has. */
const MAX_INLINE_BYTES = 52_428_800;

interface Work {
  readonly create: string;
  readonly look: string;
  /** What the vendor takes of the settings. */
  readonly fields: readonly string[];
}

const SKIN = '/v1/ai/skin-enhancer';
const RELIGHT = '/v1/ai/image-relight';

/** The three modes of the skin enhancer are asked about at one path. */
const WORK: Readonly<Record<Exclude<TaskKind, 'video'>, Work>> = {
  'skin-creative': { create: `${SKIN}/creative`, look: SKIN, fields: ['sharpen', 'smart_grain'] },
  'skin-faithful': {
    create: `${SKIN}/faithful`,
    look: SKIN,
    fields: ['sharpen', 'smart_grain', 'skin_detail'],
  },
  'skin-flexible': {
    create: `${SKIN}/flexible`,
    look: SKIN,
    fields: ['sharpen', 'smart_grain', 'optimized_for'],
  },
  relight: {
    create: RELIGHT,
    look: RELIGHT,
    fields: [
      'prompt',
      'light_transfer_strength',
      'interpolate_from_original',
      'change_background',
      'style',
      'preserve_details',
      'advanced_settings',
    ],
  },
};

/** The documentation names only the first. */
const FAILED: ReadonlySet<string> = new Set(['FAILED', 'CANCELLED', 'CANCELED']);

const DIALECT: VendorDialect = {
  called: CALLED,
  toHeaders: (key) => ({ 'x-freepik-api-key': key }),
  complaintOf: (body) => ({ code: body.code, message: toExplanation(body) }),
  sentences: {
    CreditInsufficient:
      "This server's account at the image vendor has no credits left: its administrator should add some.",
  },
};

/** The image vendor's public API. Nothing in it makes a repeated request harmless. */
export function createHttpImageVendor(options: HttpVendorOptions): VendorAdapter {
  const { outbound } = options;
  const http = createVendorHttp(DIALECT, options);

  function toFailed(data: Fields): VendorStanding {
    return toFailure(http.side, DIALECT.complaintOf(data), {
      code: 'VendorFailed',
      message: `${CALLED} could not make the picture.`,
    });
  }

  async function toResult(generated: unknown, signal: AbortSignal): Promise<VendorStanding> {
    const said: readonly unknown[] = Array.isArray(generated) ? generated.slice(0, MAX_RESULTS) : [];
    const found = await Promise.all(
      said.map(async (url) => await toResultFile(outbound, url, { role: 'picture', signal })),
    );
    const files = found.filter((file) => file !== undefined);
    if (files.length > 0) return { state: 'done', files };
    return {
      state: 'failed',
      code: 'NoResult',
      message: `${CALLED} reports a finished picture, but no address from which it can be fetched.`,
    };
  }

  return {
    name: 'image-http',
    vendor: 'imagevendor',
    repeats: 'never',
    places: PLACES,
    description: {
      title: 'Image vendor over HTTPS',
      isLocal: false,
      about:
        `Sends pictures and settings to ${http.host}, which makes the results and charges this server's account ` +
        'for them. Speaks the wire format of the Freepik API. A request that may have arrived is never sent again.',
      host: http.host,
    },

    async begin(task, { signal, callbackUrl }) {
      const { create, fields } = workOf(task.kind);
      const pictures = await readPictures(task, {
        called: CALLED,
        toText: (base64) => base64,
        maxBytes: MAX_INLINE_BYTES,
        signal,
      });
      if (pictures.state === 'failed') return pictures;
      const body = {
        ...pictures.texts,
        ...pickSettings(task.settings, fields, { prompt: '' }),
        webhook_url: callbackUrl,
      };
      const verdict = await http.begin(create, body, signal);
      if (verdict.state === 'failed') return verdict;
      const data = dataOf(verdict.body);
      const state = stateOf(data);
      if (FAILED.has(state)) return toFailed(data);
      const id = toTaskId(data.task_id);
      if (id === undefined) throw unreadable(http.side, 'begin');
      return toUnderWay(id, state);
    },

    async check(vendorTaskId, task, { signal }) {
      const { look } = workOf(task.kind);
      const verdict = await http.check(`${look}/${encodeURIComponent(vendorTaskId)}`, signal);
      if (verdict.state === 'failed') return verdict;
      const data = dataOf(verdict.body);
      const state = stateOf(data);
      if (state === '') throw unreadable(http.side, 'check');
      if (FAILED.has(state)) return toFailed(data);
      if (state === 'COMPLETED') return await toResult(data.generated, signal);
      return toUnderWay(vendorTaskId, state);
    },

    close: async () => outbound.close(),
  };
}

function workOf(kind: TaskKind): Work {
  if (kind === 'video') throw new Error('The image vendor makes no videos.');
  return WORK[kind];
}

/** Answers wrap the task in `data`, callbacks do not. */
function dataOf(body: Fields): Fields {
  return isRecord(body.data) ? body.data : body;
}

function stateOf({ status }: Fields): string {
  return typeof status === 'string' ? status.toUpperCase() : '';
}

function toUnderWay(vendorTaskId: string, state: string): VendorStanding {
  return { state: state === 'CREATED' ? 'queued' : 'running', vendorTaskId, askAgainMs: ASK_AGAIN_MS };
}

/** `{message, invalid_params: [{field, reason}]}` in one line. */
function toExplanation({ message, invalid_params: params }: Fields): string | undefined {
  const fields = (Array.isArray(params) ? params.slice(0, MAX_EXPLAINED_FIELDS) : []).map((param: unknown) =>
    isRecord(param)
      ? [param.field ?? param.name, param.reason].filter((part) => typeof part === 'string').join(': ')
      : '',
  );
  const parts = [message, ...fields].filter((part) => typeof part === 'string' && part !== '');
  return parts.length === 0 ? undefined : parts.join('; ');
}
