import { UserDataEntry, UserDataFile } from '@atelier/contracts';
import { Type } from 'typebox';

import { cleanFileName } from '../platform/files/clean-file-name.ts';
import { contentDisposition } from '../platform/files/content-disposition.ts';
import { OCTET_STREAM } from '../platform/files/media-types.ts';
import { createRouteDefiner, done } from '../platform/http/define-route.ts';
import type { App, Routes } from '../platform/http/route-config.ts';
import { HOST_DEFAULTS } from '../platform/http/route-defaults.ts';
import { sendJson } from '../platform/http/send-json.ts';
import type { UserDataService } from './user-data.service.ts';

const filePath = 'The path in one part, its slashes written as %2F.';
const routeDefaults = { ...HOST_DEFAULTS, tag: 'host', parameters: { file: filePath, dest: filePath } };

const Flag = (description: string) => Type.Optional(Type.String({ description: `\`true\`: ${description}` }));
const FullInfo = Flag('answers size and times too');
const Overwrite = Type.Optional(
  Type.String({ description: '`false`: a file that is there stays, and the answer is 409.' }),
);
const Listed = Type.Union(
  [Type.Array(Type.String()), Type.Array(Type.Array(Type.String())), Type.Array(UserDataFile)],
  {
    description:
      'Paths from the folder; with `split` each with its parts behind it; with `full_info` objects.',
  },
);
const Written = Type.Union([Type.String(), UserDataFile], {
  description: 'The path of the file; with `full_info` an object.',
});

const Bytes = Type.Unsafe<unknown>({
  description: 'The file, to be saved. Only `user.css` may be used by a page.',
  content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
});

/** The only file that the editor loads as what it is, not as data. */
const STYLES = 'user.css';
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  md: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** Files that the editor keeps for users. */
export const userDataRoutes: Routes<{ userData: UserDataService; maxBytes: number }> =
  ({ userData, maxBytes }) =>
  async (app) => {
    addReads(app, userData);
    await app.register(async (inner) => {
      inner.removeAllContentTypeParsers();
      inner.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, pass) => pass(null, body));
      addWrite(inner, userData, maxBytes);
    });
  };

function addReads(app: App, userData: UserDataService): void {
  const route = createRouteDefiner(app, routeDefaults);
  route('GET', '/userdata', {
    operation: 'userData.list',
    failures: [404],
    summary: 'Files in a folder of the caller',
    description: 'Names that begin with a dot are left out. A folder without files gets 404, except the top.',
    query: {
      dir: Type.String({ minLength: 1, description: 'The folder; `.` is the top.' }),
      recurse: Flag('files in folders below too'),
      full_info: FullInfo,
      split: Flag('each path with its parts'),
    },
    response: { 200: Listed },
    handle: async ({ actor, query, reply }) => {
      const { dir, recurse, full_info: full, split } = query;
      const files = await userData.list(actor.userId, dir, { recurse: isTrue(recurse) });
      const paths = files.map(({ path }) => path);
      const listed = isTrue(split) ? paths.map((path) => [path, ...path.split('/')]) : paths;
      return await sendJson(reply, JSON.stringify(isTrue(full) ? files : listed));
    },
  });
  route('GET', '/v2/userdata', {
    operation: 'userData.walk',
    failures: [404],
    summary: 'Everything below a folder of the caller, folders first',
    description:
      'Includes hidden files; paths start at the top. A folder without files gets 404, except the top, and the path of a file gets 400.',
    query: { path: Type.String({ default: '', description: 'Absent: the top.' }) },
    response: { 200: Type.Array(UserDataEntry) },
    handle: async ({ actor, query, reply }) => {
      const entries = await userData.walk(actor.userId, query.path);
      return await sendJson(reply, JSON.stringify(entries));
    },
  });

  route('GET', '/userdata/:file', {
    operation: 'userData.read',
    failures: [404],
    summary: 'A file of the caller',
    description:
      'JSON, text and common pictures have their own content type; other files are `application/octet-stream`. An unknown file gets 404.',
    response: { 200: Bytes },
    handle: async ({ actor, params, reply }) => {
      const { path, content } = await userData.read(actor.userId, params.file);
      return await reply.headers(headersOf(path)).send(Buffer.from(content));
    },
  });
  route('DELETE', '/userdata/:file', {
    operation: 'userData.delete',
    failures: [404],
    summary: 'Delete a file of the caller',
    description: 'A folder is gone with its last file. An unknown file gets 404.',
    response: done('Deleted.'),
    handle: async ({ actor, params }) => await userData.remove(actor.userId, params.file),
  });
  route('POST', '/userdata/:file/move/:dest', {
    operation: 'userData.move',
    failures: [404, 409],
    summary: 'Give a file of the caller another path',
    description:
      'Times stay as they were. An unknown file gets 404. Answers 409 when a part of the new path would be a file and a folder at once.',
    query: { overwrite: Overwrite, full_info: FullInfo },
    response: { 200: Written },
    handle: async ({ actor: { userId }, params, query, reply }) => {
      const file = await userData.move(userId, params.file, params.dest, overwriting(query));
      return await sendJson(reply, written(file, query));
    },
  });
}

function addWrite(app: App, userData: UserDataService, maxBytes: number): void {
  const route = createRouteDefiner(app, routeDefaults);
  route('POST', '/userdata/:file', {
    bodyLimit: maxBytes,
    operation: 'userData.write',
    needsSpace: true,
    failures: [409],
    summary: 'Keep the body as a file of the caller',
    description:
      `Takes any content type and replaces a file of that path. A file has at most ${maxBytes / 2 ** 20} MiB (413); a ` +
      'user has at most 10,000 files and 1 GiB (403).',
    consumes: ['*/*'],
    query: { overwrite: Overwrite, full_info: FullInfo },
    response: { 200: Written },
    handle: async ({ actor, params, query, body, reply }) => {
      const content = bytesOf(body);
      const file = await userData.write(actor.userId, params.file, content, overwriting(query));
      return await sendJson(reply, written(file, query));
    },
  });
}

interface Wishes {
  readonly overwrite?: string;
  readonly full_info?: string;
}

function isTrue(flag: string | undefined): boolean {
  return flag?.toLowerCase() === 'true';
}

function overwriting({ overwrite }: Wishes) {
  return { overwrite: overwrite?.toLowerCase() !== 'false' };
}

function written(file: UserDataFile, { full_info: full }: Wishes): string {
  return JSON.stringify(isTrue(full) ? file : file.path);
}

/** Fastify calls no parser when there is nothing to parse. */
function bytesOf(body: unknown): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array();
}

/** The file may come from anybody, so no browser may run it. */
function headersOf(path: string): Record<string, string> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const isStyles = path === STYLES;
  return {
    'content-type': isStyles ? 'text/css; charset=utf-8' : (MEDIA_TYPES[extension] ?? OCTET_STREAM),
    'content-disposition': contentDisposition(cleanFileName(name), isStyles ? 'inline' : 'attachment'),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
  };
}
