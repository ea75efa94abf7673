import type { V2Asset } from '@atelier/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { toIso } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import { AppError, notFound } from '../../platform/errors/app-error.ts';
import { selectRange } from '../../platform/files/conditions.ts';
import type { LiveJobs } from '../events/live-jobs.ts';
import type { OutputFinder } from './find-outputs.ts';
import { findJob } from './jobs.repo.ts';
import { parseTextId, readOutputs, shownTexts, type TextPlace, textId } from './shown-texts.ts';

interface Parts {
  readonly db: Db;
  readonly live: LiveJobs;
  readonly outputs: Pick<OutputFinder, 'shown'>;
}

export type TextAssets = ReturnType<typeof createTextAssets>;

/** Serves texts that nodes show as assets. */
export function createTextAssets({ db, live, outputs: finder }: Parts) {
  async function find(userId: string, place: TextPlace) {
    const job = await findJob(db, userId, place.jobId);
    const outputs = job?.outputs === null ? live.get(job.id)?.outputs() : job && readOutputs(job.outputs);
    const ofNode = { [place.nodeId]: outputs?.[place.nodeId] };
    const shown = shownTexts(ofNode).find(({ index }) => index === place.index);
    if (!job || !shown) throw notFound('asset', textId(place));
    return { job, text: shown.text, ofNode };
  }

  return {
    parse: parseTextId,

    async get(userId: string, place: TextPlace): Promise<V2Asset> {
      const { job, ofNode } = await find(userId, place);
      const id = textId(place);
      const all = await finder.shown({ id: job.id, userId }, ofNode);
      const output = all.find((each) => each.id === id);
      if (!output) throw notFound('asset', id);
      const { node_id: _node, type: _type, name, ...rest } = output;
      return { ...rest, file_path: name, created_at: toIso(job.created_at), expires_at: null };
    },

    async send(userId: string, place: TextPlace, request: FastifyRequest, reply: FastifyReply) {
      const bytes = Buffer.from((await find(userId, place)).text);
      const size = bytes.length;
      const range = selectRange(request.headers, { etag: '', size });
      reply.headers({
        'accept-ranges': 'bytes',
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': 'inline',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      });
      if (range === 'whole') return await reply.send(bytes);
      if (range === 'unsatisfiable') {
        reply.header('content-range', `bytes */${size}`);
        throw new AppError('request.range', `The range lies outside of the text, which has ${size} bytes.`);
      }
      const { start, end } = range;
      reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
      return await reply.send(bytes.subarray(start, end + 1));
    },
  };
}
