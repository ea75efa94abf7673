import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import { AtelierError, type AtelierErrorOptions, WorkflowRefusedError } from '../errors.ts';
import { isObject } from '../is-object.ts';
import type { NodeProblems } from '../wire.ts';
import { readText } from './read-text.ts';

/** Enough for any error of the server; an error page of a proxy is not read to its end. */
const MAX_ERROR_BYTES = 1024 * 1024;
/** The names that submission uses for these errors, for public clients. */
const PROMPT_TYPES: Readonly<Record<string, ErrorCode>> = {
  CLOUD_SUBSCRIPTION_REQUIRED: 'cloud.subscription_required',
  PARTNER_NODE_DISABLED: 'cloud.partner_key',
  QUEUE_LIMIT: 'cloud.queue_limit',
};
/** Sent by a proxy when the server is down or busy. */
const TRANSIENT_STATUSES = new Set([408, 425, 429, 502, 503, 504]);

/** The server's own routes always send a body with these. */
const NO_ROUTE_STATUSES = new Set([404, 405, 501]);

/** The error of an unsuccessful response, in any of the four shapes that the server uses. */
export async function errorOf(response: Response): Promise<AtelierError> {
  const text = (await readText(response, MAX_ERROR_BYTES)) ?? '';
  const common = {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfter(response.headers.get('retry-after')),
  };
  const body = parse(text);
  return (isObject(body) ? fromBody(body, common) : undefined) ?? foreignAnswer(response, text, common);
}

type Body = Readonly<Record<string, unknown>>;

function fromBody(body: Body, common: AtelierErrorOptions): AtelierError | undefined {
  const { error, code, message, details } = body;
  if (isObject(error)) return fromPrompt(error, body['node_errors'], common);
  if (typeof message !== 'string') return undefined;
  if (isCode(error)) return new AtelierError(error, message, common);
  if (isCode(code)) {
    const problems = isObject(details) ? texts(details['problems']) : [];
    return new AtelierError(code, withDetails(message, problems), { ...common, details: problems });
  }
  if (Array.isArray(details)) {
    const [first, ...others] = texts(details);
    if (isCode(first) && others.length === 0) return new AtelierError(first, message, common);
    const problems = texts(details);
    return new AtelierError('request.invalid', withDetails(message, problems), {
      ...common,
      details: problems,
    });
  }
  // Codes of a server newer than this package, and those of OAuth.
  const word = typeof error === 'string' ? error : typeof code === 'string' ? code : undefined;
  return word === undefined
    ? undefined
    : new AtelierError('client.answer', message, {
        ...common,
        details: [word],
        isRetryable: TRANSIENT_STATUSES.has(common.status ?? 0),
      });
}

function fromPrompt(error: Body, nodeErrors: unknown, common: AtelierErrorOptions): AtelierError | undefined {
  const { type, message, details } = error;
  if (typeof type !== 'string' || typeof message !== 'string') return undefined;
  const code = isCode(type) ? type : PROMPT_TYPES[type];
  const extra = typeof details === 'string' && details !== '' && details !== message ? [details] : [];
  const options = { ...common, details: extra };
  if (code !== undefined) return new AtelierError(code, withDetails(message, extra), options);
  const nodes = isObject(nodeErrors) ? (nodeErrors as Record<string, NodeProblems>) : {};
  return new WorkflowRefusedError(withDetails(message, [...extra, ...sentencesOf(nodes)]), {
    ...options,
    type,
    nodeErrors: nodes,
  });
}

function sentencesOf(nodes: Readonly<Record<string, NodeProblems>>): string[] {
  return Object.entries(nodes).flatMap(([id, { class_type, errors }]) =>
    (errors ?? []).map(({ message, details }) => `Node ${id} (${class_type}): ${details || message}`),
  );
}

function foreignAnswer(response: Response, text: string, common: AtelierErrorOptions): AtelierError {
  const { status, statusText, url } = response;
  const body = text.trim();
  const words = body.length > 0 && body.length < 200 && !body.startsWith('<') ? body : statusText;
  const where = url === '' ? 'The server' : new URL(url).origin;
  if (NO_ROUTE_STATUSES.has(status)) {
    const message = `${where} is not an Atelier server, or it is too old: it answered ${status}.`;
    return new AtelierError('client.answer', message, { ...common, isRetryable: false });
  }
  return new AtelierError(
    'client.answer',
    `${where} answered ${status}${words === '' ? '.' : `: ${words}`}`,
    {
      ...common,
      isRetryable: TRANSIENT_STATUSES.has(status),
    },
  );
}

function isCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);
}

function withDetails(message: string, details: readonly string[]): string {
  const shown = details.filter((detail) => !message.includes(detail)).slice(0, 10);
  return shown.length === 0 ? message : `${message.replace(/[.:]?$/, ':')} ${shown.join('; ')}`;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Seconds or a date. */
function retryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
