import type { AtelierError } from '../errors.ts';
import type { AnswerName, AnswerOf } from '../http/answer.ts';
import { createDeadline } from '../http/deadline.ts';
import { errorOf } from '../http/error-of.ts';
import { withRetries } from '../http/retry.ts';
import { type Transport, toAtelierError } from '../http/transport.ts';
import { fetchWithProgress } from './fetch-with-progress.ts';
import type { FileSource } from './file-input.ts';
import type { TransferOptions } from './progress.ts';
import { canStreamBodies, formBody, plainBody } from './request-body.ts';

interface Form extends TransferOptions {
  readonly path: string;
  readonly field: string;
  readonly fields: Readonly<Record<string, string | undefined>>;
}

/** Sends a file as part of a form. All such routes store the same bytes only once, so a form may be sent again. */
export async function sendForm<Name extends AnswerName>(
  transport: Transport,
  answer: Name,
  source: FileSource,
  { path, field, fields, signal, onProgress }: Form,
): Promise<AnswerOf<Name>> {
  let touch: (() => void) | undefined;
  const onBytes = (sent: number): void => {
    touch?.();
    onProgress?.({ loaded: Math.min(sent, source.size), total: source.size });
  };
  return await transport.post(answer, path, {
    signal,
    isRepeatable: true,
    makeBody: () => formBody(fields, { field, source }, onBytes),
    onAttempt: (given) => {
      touch = given;
    },
    ...(canStreamBodies ? {} : { fetch: fetchWithProgress(onBytes) }),
  });
}

interface Link extends TransferOptions {
  readonly link: string;
  readonly contentType: string;
  /** Whether this error on a retry means that the first request had succeeded. */
  readonly isDone: (error: AtelierError) => boolean;
}

/** Sends a file to a signed link, without the key. */
export async function sendToLink(
  transport: Transport,
  source: FileSource,
  { link, contentType, signal, onProgress, isDone }: Link,
): Promise<void> {
  await withRetries(
    async (attempt) => {
      const deadline = createDeadline(transport.timeoutMs, signal);
      const onBytes = (sent: number): void => {
        deadline.touch();
        onProgress?.({ loaded: Math.min(sent, source.size), total: source.size });
      };
      const { body, headers } = plainBody(source, onBytes);
      try {
        const response = await transport.openLink(
          link,
          {
            method: 'PUT',
            headers: { ...headers, 'content-type': contentType },
            body,
            ...(canStreamBodies ? { duplex: 'half' } : {}),
            signal: deadline.signal,
          },
          canStreamBodies ? undefined : fetchWithProgress(onBytes),
        );
        if (response.ok) {
          await response.body?.cancel();
          return;
        }
        const error = await errorOf(response);
        if (attempt === 0 || !isDone(error)) throw error;
      } catch (error) {
        deadline.signal.throwIfAborted();
        throw toAtelierError(error);
      } finally {
        deadline.end();
      }
    },
    { retries: transport.retries, signal, isSafe: () => true, shouldWait: transport.shouldWait },
  );
}
