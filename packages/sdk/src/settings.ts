import { path } from './http/server-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';

/** What you have set in the editor: any JSON values by id, such as `Comfy.Locale`. */
export function createSettings(transport: Transport) {
  return {
    /** Everything that you have set. */
    list: async (options: CallOptions = {}): Promise<Record<string, unknown>> =>
      await transport.get('object', '/api/settings', options),
    /** One value; `null` when you have not set it. */
    get: async (id: string, options: CallOptions = {}): Promise<unknown> =>
      await transport.get('anything', path`/api/settings/${id}`, options),
    /** Sets these and leaves the others. Gives all of them. */
    set: async (
      values: Readonly<Record<string, unknown>>,
      options: CallOptions = {},
    ): Promise<Record<string, unknown>> =>
      await transport.post('object', '/api/settings', { ...options, body: values, isRepeatable: true }),
  };
}
