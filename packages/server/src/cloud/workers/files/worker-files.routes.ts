import { FILE_PATH_EXPECTS } from '@atelier/engine';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';

import { invalid } from '../../../platform/errors/app-error.ts';
import { incomingBytes } from '../../../platform/files/incoming-bytes.ts';
import type { App, Routes } from '../../../platform/http/route-config.ts';
import { type FilePlace, isFolderName, toPlace } from '../../files/file-place.ts';
import { tokenOf } from '../worker-socket.routes.ts';
import { MAX_FILE_BYTES, type OpenAttempt, PART_BYTES, type WorkerFiles } from './worker-files.service.ts';

const URL = '/workers/attempts/:jobId/:attempt/files';
/** A worker that reads nothing for this long is disconnected. */
const STALL_MS = 60_000;
/** The worker follows the redirect at once. */
const DIRECT_SECONDS = 60;

const Params = Type.Object({
  jobId: Type.String({ maxLength: 100 }),
  attempt: Type.Integer({ minimum: 0, maximum: 2 ** 31 }),
});
const Place = Type.Object({
  folder: Type.String({ maxLength: 16 }),
  subfolder: Type.String({ maxLength: 1024, default: '' }),
  name: Type.String({ maxLength: 1024 }),
});
const Offer = Type.Object({
  ...Place.properties,
  size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', expects: '64 lower-case hex digits' }),
});
const Headers = Type.Object({
  'atelier-receipt': Type.Optional(Type.String({ maxLength: 64 })),
  'atelier-again': Type.Optional(Type.String({ maxLength: 8 })),
  'atelier-direct': Type.Optional(
    Type.String({
      maxLength: 8,
      description: 'The worker accepts a redirect to the store, for large files.',
    }),
  ),
  'atelier-sent': Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{16,64}$',
      expects: 'a ticket',
      description: 'The ticket of bytes that were sent to the store.',
    }),
  ),
});
const Made = Type.Object({
  receipt: Type.Optional(Type.String()),
  partBytes: Type.Optional(Type.Integer()),
  upload: Type.Optional(
    Type.Object({
      ticket: Type.String(),
      url: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
    }),
  ),
});
const Offset = Type.Integer({ minimum: 0, maximum: MAX_FILE_BYTES, default: 0 });

/** How a worker on another machine reads and writes the files of its jobs. Each attempt has its own key. */
export const workerFilesRoutes: Routes<WorkerFiles> = (workerFiles) => async (app) => {
  const attempts = new WeakMap<FastifyRequest, OpenAttempt>();
  const attemptOf = (request: FastifyRequest): OpenAttempt => {
    const attempt = attempts.get(request);
    if (!attempt) throw new Error('A worker was let in without a key.');
    return attempt;
  };
  const common = (operation: string, ...failures: number[]) => ({
    exposeHeadRoute: false,
    config: {
      operation: `workers.files.${operation}`,
      access: 'public',
      errorShape: 'code',
      failures: [401, ...failures],
    } as const,
    // Before the body is read.
    onRequest: async (request: FastifyRequest) => {
      const { jobId, attempt } = request.params as { readonly jobId: string; readonly attempt: string };
      const number = /^\d{1,9}$/.test(attempt) ? Number(attempt) : -1;
      attempts.set(request, await workerFiles.open(jobId, number, tokenOf(request)));
    },
  });

  app.get(
    URL,
    {
      ...common('list'),
      schema: {
        hide: true,
        summary:
          'The names of the files in a folder of the owner of the job; with `name` whether there is that one',
        params: Params,
        querystring: Type.Object({
          ...Place.properties,
          name: Type.Optional(Place.properties.name),
          start: Type.String({ maxLength: 1024, default: '' }),
        }),
        response: { 200: Type.Object({ names: Type.Array(Type.String()) }) },
      },
    },
    async (request) => {
      const { name, start } = request.query;
      const asked = placeOf({ ...request.query, name: name ?? 'any' });
      const which = { isOne: name !== undefined, start };
      return { names: [...(await workerFiles.list(attemptOf(request), asked, which))] };
    },
  );

  app.get(
    `${URL}/facts`,
    {
      ...common('facts', 404),
      schema: {
        hide: true,
        summary: 'Size, time and SHA-256 of a file that the job may read',
        params: Params,
        querystring: Place,
        headers: Headers,
        response: {
          200: Type.Object({ size: Type.Integer(), sha256: Type.String(), modifiedMs: Type.Number() }),
        },
      },
    },
    async (request) => {
      const { size, sha256, modifiedMs } = await find(request);
      return { size, sha256, modifiedMs };
    },
  );

  app.get(
    `${URL}/content`,
    {
      ...common('read', 404),
      schema: {
        hide: true,
        summary: 'The bytes of a file that the job may read',
        params: Params,
        querystring: Place,
        headers: Headers,
      },
    },
    async (request, reply) => {
      const { size, open, direct } = await find(request);
      if (direct && request.headers['atelier-direct'] !== undefined)
        return await reply.redirect(await direct(DIRECT_SECONDS), 302);
      reply.raw.setTimeout(STALL_MS, () => reply.raw.destroy());
      reply.header('content-type', 'application/octet-stream').header('content-length', size);
      return await reply.send(await open());
    },
  );

  app.post(
    URL,
    {
      ...common('offer', 403, 409, 413),
      schema: {
        hide: true,
        summary:
          'Make a file of bytes that the owner of the job has here already. Without a receipt they must be sent',
        params: Params,
        headers: Headers,
        body: Offer,
        response: { 200: Made },
      },
    },
    async (request) => {
      const [own, file] = [attemptOf(request), offered(request.body, request.headers)];
      const ticket = request.headers['atelier-sent'];
      const receipt = await workerFiles.offer(own, file, ticket);
      if (receipt !== undefined) return { receipt };
      const mayBeDirect = ticket === undefined && request.headers['atelier-direct'] !== undefined;
      const upload = mayBeDirect ? await workerFiles.directUpload(file) : undefined;
      return { partBytes: workerFiles.partBytes, ...(upload && { upload }) };
    },
  );

  await app.register(async (inner) => {
    const own = inner as unknown as App;
    own.removeAllContentTypeParsers();
    own.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    own.put(
      `${URL}/content`,
      {
        ...common('write', 403, 409, 413),
        bodyLimit: PART_BYTES,
        schema: {
          hide: true,
          summary:
            'Make a file of the bytes that are sent, perhaps in parts: the last one is answered with a receipt',
          params: Params,
          querystring: Type.Object({ ...Offer.properties, offset: Offset }),
          headers: Headers,
          response: { 200: Made },
        },
      },
      async (request) => {
        const file = offered(request.query, request.headers);
        const { offset } = request.query;
        const bytes = incomingBytes(request, { maxBytes: PART_BYTES });
        const receipt = await workerFiles.take(attemptOf(request), file, { offset, bytes });
        return receipt === undefined ? {} : { receipt };
      },
    );
  });

  async function find(
    request: FastifyRequest<{ Querystring: Static<typeof Place>; Headers: Static<typeof Headers> }>,
  ) {
    const receipt = request.headers['atelier-receipt'] ?? '';
    return await workerFiles.find(attemptOf(request), placeOf(request.query), receipt);
  }
};

function placeOf({ folder, subfolder, name }: Static<typeof Place>): FilePlace {
  const found = isFolderName(folder) ? toPlace(name, { folder, subfolder }) : undefined;
  if (!found) throw invalid(`folder is input, output or temp; name and subfolder are ${FILE_PATH_EXPECTS}.`);
  return found;
}

function offered({ size, sha256, ...query }: Static<typeof Offer>, headers: Static<typeof Headers>) {
  return { ...placeOf(query), size, sha256, isAgain: headers['atelier-again'] !== undefined };
}
