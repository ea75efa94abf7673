import type { Readable } from 'node:stream';
import { isObject } from '@atelier/contracts/is-object';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { Outbound } from '../../platform/net/outbound.ts';
import { OutboundError } from '../../platform/net/outbound-error.ts';
import { readBounded } from '../../platform/read-bounded.ts';
import type { Secret } from '../../platform/secret.ts';
import {
  classifyAnswer,
  type Fields,
  isGood,
  toTrouble,
  type VendorCall,
  type VendorResult,
  type VendorSide,
} from './classify-answer.ts';

export interface HttpVendorOptions {
  /** May have a path, for a gateway. */
  readonly baseUrl: string;
  readonly key: Secret;
  readonly outbound: Outbound;
  readonly clock?: Clock;
  readonly beginTimeoutMs?: number;
  readonly checkTimeoutMs?: number;
}

export interface VendorDialect extends Pick<VendorSide, 'called' | 'readVendorError' | 'sentences'> {
  readonly toHeaders: (key: string) => Readonly<Record<string, string>>;
}

/** The request may contain a picture, and some vendors check it before they answer. */
const BEGIN_TIMEOUT_MS = 120_000;
const CHECK_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 524_288;

export function createVendorHttp(dialect: VendorDialect, options: HttpVendorOptions) {
  const { outbound, key, clock = systemClock } = options;
  const side: VendorSide = { ...dialect, key, clock };
  const base = parseBase(options.baseUrl, dialect.called);
  const headers = { accept: 'application/json', ...dialect.toHeaders(usableKey(key, dialect.called)) };
  const timeouts = {
    begin: options.beginTimeoutMs ?? BEGIN_TIMEOUT_MS,
    check: options.checkTimeoutMs ?? CHECK_TIMEOUT_MS,
  };

  /** Sends one request, which is never repeated here. */
  async function ask(
    call: VendorCall,
    path: string,
    signal: AbortSignal,
    body?: Fields,
  ): Promise<VendorResult> {
    try {
      const answer = await outbound.open(`${base.address}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        body: body === undefined ? undefined : JSON.stringify(body),
        protocols: ['https:'],
        // Limited where it is read, because a long explanation must not hide the status.
        maxBytes: Number.MAX_SAFE_INTEGER,
        timeoutMs: timeouts[call],
        signal,
      });
      const fields = await readFields(answer.body, { isNeeded: isGood(answer.status) });
      return classifyAnswer(side, call, { ...answer, body: fields });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw toTrouble(call, `${dialect.called} gave no answer. ${error.message}`, {
        mayHaveArrived: error.sent,
        cause: error,
      });
    }
  }

  return { host: base.host, side, ask };
}

/** `undefined` unless the body is a JSON object. A body that is not needed may be incomplete, because the status has decided. */
async function readFields(stream: Readable, { isNeeded }: { isNeeded: boolean }) {
  try {
    const bytes = await readBounded(stream, MAX_ANSWER_BYTES);
    return bytes && toFields(bytes.toString());
  } catch (error) {
    if (isNeeded) throw error;
    return undefined;
  }
}

function toFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function parseBase(baseUrl: string, called: string): { readonly address: string; readonly host: string } {
  const url = URL.parse(baseUrl);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new Error(`${called} needs an address that starts with https.`);
  }
  return { address: `${url.origin}${url.pathname.replace(/\/+$/, '')}`, host: url.host };
}

/** Checked here, because the message of Node's own check might show the key one day. */
function usableKey(key: Secret, called: string): string {
  const value = key.reveal();
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new Error(`${called} needs a key of visible ASCII characters.`);
}
