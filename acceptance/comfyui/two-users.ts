import { setTimeout as delay } from 'node:timers/promises';
import type { RunningServer } from '@atelier/testing';

import { newSubmitter } from '../support/cloud.ts';
import { watch } from '../support/sockets.ts';
import { png, toForm } from '../support/user-files.ts';
import { node, save } from './case.ts';
import { TINY_CHECKPOINTS } from './make-checkpoints.ts';
import { binaryFrames } from './read-frames.ts';
import { recordRun } from './record-run.ts';
import { call, type Side } from './side.ts';
import { textToImage } from './workflows/models.ts';

interface User {
  readonly name: string;
  readonly checkpoint: string;
  readonly side: Side;
}

const STRANGERS_VIEW = 404;

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
  await delay(500);
  const found: string[] = [];
  for (const [index, user] of users.entries()) {
    const other = users[1 - index];
    if (!other) continue;
    const said = sockets[index]?.frames.filter((frame) => !Buffer.isBuffer(frame));
    const seen = { sockets: said, ...(await lists(user)) };
    const otherIds = runs[1 - index]?.map(({ promptId }) => promptId) ?? [];
    for (const [where, what] of Object.entries(seen)) {
      const text = JSON.stringify(what);
      for (const secret of [other.name, ...otherIds])
        if (text.includes(secret)) found.push(`${user.name} sees ${secret} in ${where}`);
    }
    for (const frame of binaryFrames(sockets[index]?.frames ?? []))
      if (frame.kind === 'picture' && otherIds.includes(frame.promptId))
        found.push(`${user.name} gets a preview of ${other.name}`);
    for (const run of runs[1 - index] ?? []) {
      for (const file of run.files.keys()) {
        const [type = '', ...path] = file.split('/');
        const filename = path.pop() ?? '';
        const query = new URLSearchParams({ filename, subfolder: path.join('/'), type });
        const { status } = await call(user.side, `/view?${query}`);
        if (status !== STRANGERS_VIEW) found.push(`${user.name} gets ${status} for ${file} of ${other.name}`);
      }
    }
  }
  for (const socket of sockets) socket[Symbol.dispose]();
  for (const [index, run] of runs.entries()) {
    const ends = run.map(({ entry }) => entry?.status.status_str);
    if (ends.some((end) => end !== 'success'))
      found.push(`the jobs of user ${index + 1} end as ${ends.join()}`);
  }
  const [one, other] = runs.map((run) => run.flatMap(({ files }) => [...files.values()]));
  if (one?.some((file) => other?.some((another) => another.equals(file))))
    found.push('two models painted the same picture');
  return found;
}

async function runJobs({ name, checkpoint, side }: User) {
  const bytes = await png([1, 2, 3, 4, 5, 6], 2, 1);
  await call(side, '/upload/image', { form: toForm([['image', bytes, `${name}.png`]]) });
  const runs = [];
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
