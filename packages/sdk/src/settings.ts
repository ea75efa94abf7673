import { path } from './http/server-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';

/** Your settings of the editor: any JSON values by id, such as `Comfy.Locale`. */
export function createSettings(transport: Transport) {
  return {
    /** All your settings. */
    list: async (options: CallOptions = {}): Promise<Record<string, unknown>> =>
      await transport.get('object', '/api/settings', options),
    /** One value; `null` if it is not set. */
    get: async (id: string, options: CallOptions = {}): Promise<unknown> =>
      await transport.get('anything', path`/api/settings/${id}`, options),
    /** Changes the given settings and keeps the others. Returns all of them. */
    set: async (
      values: Readonly<Record<string, unknown>>,
      options: CallOptions = {},
    ): Promise<Record<string, unknown>> =>
      await transport.post('object', '/api/settings', { ...options, body: values, isRepeatable: true }),
  };
}
