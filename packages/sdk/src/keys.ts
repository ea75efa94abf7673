import { path } from './http/server-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type { ApiKey, CreatedApiKey, NewApiKey } from './wire.ts';

/** Your API keys. */
export function createKeys(transport: Transport) {
  return {
    /** Your keys, without their secrets. */
    list: async (options: CallOptions = {}): Promise<ApiKey[]> =>
      (await transport.get('ApiKeys', '/customers/api-keys', options)).api_keys,
    /** Creates a key. `plaintext_key` is the key itself, shown only once. */
    create: async (key: NewApiKey, options: CallOptions = {}): Promise<CreatedApiKey['api_key']> =>
      (await transport.post('CreatedApiKey', '/customers/api-keys', { ...options, body: key })).api_key,
    /** Revokes a key at once. */
    delete: async (id: string, options: CallOptions = {}) =>
      await transport.delete('nothing', path`/customers/api-keys/${id}`, options),
  };
}
