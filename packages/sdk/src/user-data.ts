import { type FileInput, toSource } from './files/file-input.ts';
import { createRemoteFile, type RemoteFile } from './files/remote-file.ts';
import { plainBody } from './files/request-body.ts';
import { path } from './http/server-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type { UserDataEntry, UserDataFile } from './wire.ts';

export interface SaveUserFileOptions extends CallOptions {
  /** Whether a file of that path is replaced. Default: true. */
  readonly overwrite?: boolean | undefined;
}

/** Files that the editor keeps for you, by their paths: `workflows/sea.json`. */
export function createUserData(transport: Transport) {
  return {
    /** Everything below a folder, folders first. */
    list: async (folder = '', options: CallOptions = {}): Promise<UserDataEntry[]> =>
      await transport.get('UserDataEntry[]', '/api/v2/userdata', { ...options, query: { path: folder } }),
    /** A file by its path. No request is made until its bytes are read. */
    open: (file: string): RemoteFile =>
      createRemoteFile(transport, {
        name: file.split('/').at(-1) ?? file,
        open: async (init) => await transport.open(path`/api/userdata/${file}`, init),
      }),
    /** Stores a text or a file under a path. */
    async save(
      file: string,
      content: string | FileInput,
      { overwrite = true, ...options }: SaveUserFileOptions = {},
    ): Promise<UserDataFile> {
      const source = await toSource(typeof content === 'string' ? new Blob([content]) : content);
      return await transport.post('UserDataFile', path`/api/userdata/${file}`, {
        ...options,
        query: { overwrite, full_info: true },
        // With overwrite a retry is harmless; without, the first request would block the second.
        isRepeatable: overwrite,
        makeBody: () => {
          const { body, headers } = plainBody(source, () => {});
          return { body, headers: { ...headers, 'content-type': 'application/octet-stream' } };
        },
      });
    },
    /** Moves a file. */
    move: async (
      file: string,
      destination: string,
      { overwrite = true, ...options }: SaveUserFileOptions = {},
    ): Promise<UserDataFile> =>
      await transport.post('UserDataFile', path`/api/userdata/${file}/move/${destination}`, {
        ...options,
        query: { overwrite, full_info: true },
      }),
    /** Deletes a file. */
    delete: async (file: string, options: CallOptions = {}): Promise<void> =>
      await transport.delete('nothing', path`/api/userdata/${file}`, options),
  };
}
