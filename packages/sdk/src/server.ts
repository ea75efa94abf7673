import { notAtelierError } from './http/answer.ts';
import { createDeadline } from './http/deadline.ts';
import { errorOf } from './http/error-of.ts';
import { readText } from './http/read-text.ts';
import { type CallOptions, type Transport, toAtelierError } from './http/transport.ts';

const MAX_HEALTH_BYTES = 10_000;

/** The server itself. */
export function createServerArea(transport: Transport) {
  return {
    /** Whether the server is healthy. If not, `problem` says why; if it does not answer at all, this throws. */
    async health({ signal, timeoutMs = transport.timeoutMs }: CallOptions = {}): Promise<{
      ok: boolean;
      problem: string | undefined;
    }> {
      const deadline = createDeadline(timeoutMs, signal);
      try {
        const response = await transport.open('/health', { signal: deadline.signal });
        if (response.ok) {
          if ((await readText(response, MAX_HEALTH_BYTES)) !== 'OK')
            throw notAtelierError(response, 'it has something else to say');
          return { ok: true, problem: undefined };
        }
        if (response.status !== 503) throw await errorOf(response);
        return { ok: false, problem: (await readText(response, MAX_HEALTH_BYTES)) ?? '' };
      } catch (error) {
        deadline.signal.throwIfAborted();
        throw toAtelierError(error);
      } finally {
        deadline.end();
      }
    },
    /** Its name and version. */
    version: async (options: CallOptions = {}) => await transport.get('ServerVersion', '/version', options),
    /** Its features and limits, and yours. */
    features: async (options: CallOptions = {}) => await transport.get('Features', '/api/features', options),
    /** The machine, in the format of ComfyUI. */
    stats: async (options: CallOptions = {}) =>
      await transport.get('SystemStats', '/api/system_stats', options),
  };
}
