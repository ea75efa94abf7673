import { path } from './http/server-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';

/** The model files of the workers. */
export function createModels(transport: Transport) {
  return {
    /** The folders, such as `checkpoints` and `loras`. */
    folders: async (options: CallOptions = {}) => await transport.get('string[]', '/api/models', options),
    /** The names of the files in a folder. */
    list: async (folder: string, options: CallOptions = {}) =>
      await transport.get('string[]', path`/api/models/${folder}`, options),
    /** The names of the embeddings. */
    embeddings: async (options: CallOptions = {}) =>
      await transport.get('string[]', '/api/embeddings', options),
  };
}
