import { setTimeout as delay } from 'node:timers/promises';
import type { RunningServer } from '@atelier/testing';

import { newSubmitter } from '../support/cloud.ts';
import { type Frame, watch } from '../support/sockets.ts';
import { png, toForm } from '../support/user-files.ts';
import { node, save } from './case.ts';
import { contentOf } from './file-content.ts';
import { TINY_CHECKPOINTS } from './make-checkpoints.ts';
import { binaryFrames } from './read-frames.ts';
import { type Recording, recordRun } from './record-run.ts';
import { call, download, type Side } from './side.ts';
import { textToImage } from './workflows/models.ts';

interface User {
  readonly name: string;
  readonly checkpoint: string;
  readonly side: Side;
}

/** Two users run their models at the same time, several jobs each. Returns what one sees of the other. */
export async function findLeaks(server: RunningServer): Promise<string[]> {
  const users = await Promise.all(
    Object.values(TINY_CHECKPOINTS).map(async (checkpoint, index): Promise<User> => {
      const name = `secret-of-user-${index + 1}`;
      const { key } = await newSubmitter(server);
      return { name, checkpoint, side: { name, url: server.url, key } };
    }),
  );
  const sockets = await Promise.all(
    users.map(({ side }) => watch(side.url, side.key, { flags: { supports_preview_metadata: true } })),
  );
  const runs = await Promise.all(users.map(runJobs));
  // For messages to the wrong socket, which nothing announces.
  await delay(500);
  const leaks = users.map(async (user, index) => {
    const other = { name: users[1 - index]?.name ?? '', runs: runs[1 - index] ?? [] };
    return [
      ...(await leaksOfNames(user, other, sockets[index]?.frames ?? [])),
      ...(await leaksOfFiles(user, other)),
    ];
  });
  const found = (await Promise.all(leaks)).flat();
  for (const socket of sockets) socket[Symbol.dispose]();
  const ends = runs.flat().map(({ entry }) => entry?.status.status_str);
  if (ends.some((end) => end !== 'success')) found.push(`the jobs end as ${ends.join()}`);
  return found;
}

interface Other {
  readonly name: string;
  readonly runs: readonly Recording[];
}

async function leaksOfNames(user: User, { name, runs }: Other, frames: readonly Frame[]): Promise<string[]> {
  const found: string[] = [];
  const ids = runs.map(({ promptId }) => promptId);
  const messages = frames.filter((frame) => !Buffer.isBuffer(frame));
  for (const [where, what] of Object.entries({ messages, ...(await lists(user)) })) {
    const text = JSON.stringify(what);
    for (const secret of [name, ...ids])
      if (text.includes(secret)) found.push(`${user.name} sees ${secret} in ${where}`);
  }
  for (const frame of binaryFrames(frames))
    if (frame.kind === 'picture' && ids.includes(frame.promptId))
      found.push(`${user.name} gets a preview of ${name}`);
  return found;
}

async function leaksOfFiles(user: User, { name, runs }: Other): Promise<string[]> {
  const found: string[] = [];
  for (const [file, bytes] of runs.flatMap(({ files }) => [...files])) {
    const [type = '', ...path] = file.split('/');
    const filename = path.pop() ?? '';
    const query = new URLSearchParams({ filename, subfolder: path.join('/'), type });
    // Temporary files of both may have the same name.
    const seen = await download(user.side, `/view?${query}`).catch(() => undefined);
    if (seen && contentOf(seen).equals(contentOf(bytes))) found.push(`${user.name} sees ${file} of ${name}`);
  }
  return found;
}

async function runJobs({ name, checkpoint, side }: User): Promise<Recording[]> {
  const bytes = await png([...Buffer.from(name.slice(-3))], 1, 1);
  await call(side, '/upload/image', { form: toForm([['image', bytes, `${name}.png`]]) });
  const runs: Recording[] = [];
  for (const seed of [1, 2, 3]) {
    const prompt = {
      ...textToImage({ checkpoint, seed, text: name }),
      '7': save(['6', 0], `${name}/picture`),
      '8': node('LoadImage', { image: `${name}.png` }),
      '9': node('PreviewImage', { images: ['8', 0] }),
    };
    runs.push(await recordRun(side, {}, prompt));
  }
  return runs;
}

/** Every list that a user can read. */
async function lists({ side }: User): Promise<Record<string, unknown>> {
  const paths = [
    '/object_info',
    '/history',
    '/queue',
    '/api/jobs',
    '/api/assets',
    '/models/checkpoints',
    '/internal/files/output',
    '/internal/files/input',
  ];
  const read = async (path: string) => [path, (await call(side, path)).body] as const;
  return Object.fromEntries(await Promise.all(paths.map(read)));
}
