import { isRecord, toTaskId } from './foreign-text.ts';
import { type Fields, toFailure, unreadable } from './judge-answer.ts';
import { toResultFile } from './result-files.ts';
import type { VendorAdapter, VendorStanding, VendorTask } from './vendor.ts';
import { createVendorHttp, type HttpVendorOptions, type VendorDialect } from './vendor-http.ts';
import { readPictures } from './vendor-pictures.ts';
import { toVideoRequest } from './video-request.ts';

const CALLED = 'The video vendor';
const ASK_AGAIN_MS = 5_000;
/** Such a task may wait for 48 hours. */
const ASK_OFF_PEAK_AGAIN_MS = 60_000;
const PLACES = 16;
/** The vendor takes bodies of 20 MB; base64 has four characters for three bytes, and the prompt needs room too. */
const MAX_INLINE_BYTES = 14_000_000;

const QUEUED: ReadonlySet<string> = new Set(['created', 'queueing']);
/** The documentation names only the first; off-peak tasks that come to nothing are cancelled. */
const FAILED: ReadonlySet<string> = new Set(['failed', 'cancelled', 'canceled']);

const AGAINST_RULES = 'is against its rules for content.';
const BAD_PICTURE =
  'The video vendor cannot use the picture: it takes PNG, JPEG and WebP of up to 50 MB, between 1:4 and 4:1.';

const DIALECT: VendorDialect = {
  called: CALLED,
  toHeaders: (key) => ({ authorization: `Token ${key}` }),
  // `code` repeats the HTTP status as a number; `reason` has the word.
  complaintOf: ({ reason, code, message }) => ({ code: typeof reason === 'string' ? reason : code, message }),
  sentences: {
    CreditInsufficient:
      "This server's account at the video vendor has no credits left: its administrator should add some.",
    TaskPromptPolicyViolation: `The video vendor refused the prompt, because it ${AGAINST_RULES}`,
    AuditSubmitIllegal: `The video vendor refused the prompt or the picture, because it ${AGAINST_RULES}`,
    CreationPolicyViolation: `The video vendor keeps the video back, because what it shows ${AGAINST_RULES}`,
    ImageDownloadFailure:
      'The video vendor could not fetch the picture from this server: its administrator should check the public address.',
    ImageFormatInvalid: BAD_PICTURE,
    PageSizeOutOfRange: BAD_PICTURE,
    ModelUnavailable: 'The video vendor does not offer this model now: use another one.',
    UserCancelled: 'The task was cancelled at the video vendor.',
  },
};

/** The video vendor's public API. Nothing in it makes a repeated request harmless. */
export function createHttpVideoVendor(options: HttpVendorOptions): VendorAdapter {
  const { outbound } = options;
  const http = createVendorHttp(DIALECT, options);

  function toFailed({ err_code: code, message }: Fields): VendorStanding {
    return toFailure(
      http.side,
      { code, message },
      { code: 'VendorFailed', message: `${CALLED} could not make the video.` },
    );
  }

  async function toResult(
    creations: unknown,
    task: VendorTask,
    signal: AbortSignal,
  ): Promise<VendorStanding> {
    const made: readonly unknown[] = Array.isArray(creations) ? creations : [];
    const creation = made.find(isRecord) ?? {};
    const wanted = [
      ['video', creation.url],
      ...(task.settings.watermark === true ? ([['watermarked', creation.watermarked_url]] as const) : []),
      ['cover', creation.cover_url],
    ] as const;
    const found = await Promise.all(
      wanted.map(async ([role, url]) => await toResultFile(outbound, url, { role, signal })),
    );
    const files = found.filter((file) => file !== undefined);
    if (files.some(({ role }) => role === 'video')) return { state: 'done', files };
    return {
      state: 'failed',
      code: 'NoResult',
      message: `${CALLED} reports a finished video, but no address from which it can be fetched.`,
    };
  }

  return {
    name: 'video-http',
    vendor: 'videovendor',
    repeats: 'never',
    places: PLACES,
    description: {
      title: 'Video vendor over HTTPS',
      isLocal: false,
      about:
        `Sends prompts, settings and pictures to ${http.host}, which makes the videos and charges this server's ` +
        'account for them. Speaks the wire format of the Vidu API. A request that may have arrived is never sent again.',
      host: http.host,
    },

    async begin(task, { signal, callbackUrl }) {
      const pictures = await readPictures(task, {
        called: CALLED,
        toText: (base64, mediaType) => `data:${mediaType};base64,${base64}`,
        maxBytes: MAX_INLINE_BYTES,
        signal,
      });
      if (pictures.state === 'failed') return pictures;
      const { path, body } = toVideoRequest(task, pictures.texts, callbackUrl);
      const verdict = await http.begin(path, body, signal);
      if (verdict.state === 'failed') return verdict;
      const state = stateOf(verdict.body);
      if (FAILED.has(state)) return toFailed(verdict.body);
      const id = toTaskId(verdict.body.task_id);
      if (id === undefined) throw unreadable(http.side, 'begin');
      return toUnderWay(id, state, verdict.body, task);
    },

    async check(vendorTaskId, task, { signal }) {
      const path = `/ent/v2/tasks/${encodeURIComponent(vendorTaskId)}/creations`;
      const verdict = await http.check(path, signal);
      if (verdict.state === 'failed') return verdict;
      const state = stateOf(verdict.body);
      if (state === '') throw unreadable(http.side, 'check');
      if (FAILED.has(state)) return toFailed(verdict.body);
      if (state === 'success') return await toResult(verdict.body.creations, task, signal);
      return toUnderWay(vendorTaskId, state, verdict.body, task);
    },

    close: async () => outbound.close(),
  };
}

function stateOf({ state }: Fields): string {
  return typeof state === 'string' ? state.toLowerCase() : '';
}

function toUnderWay(
  vendorTaskId: string,
  state: string,
  { progress }: Fields,
  task: VendorTask,
): VendorStanding {
  return {
    state: QUEUED.has(state) ? 'queued' : 'running',
    vendorTaskId,
    progress: typeof progress === 'number' ? Math.min(Math.max(progress, 0), 100) : undefined,
    askAgainMs: task.settings.off_peak === true ? ASK_OFF_PEAK_AGAIN_MS : ASK_AGAIN_MS,
  };
}
