import assert from 'node:assert/strict';
import type { RunningServer } from '@atelier/testing';

import { download, type FileReference, finish, setTier } from './cloud.ts';
import { createVideo, creationsOf, videoLooks } from './generation.ts';
import { client } from './http-client.ts';
import { admin, newKey, newPerson, type Person, tokenOf } from './people.ts';
import { newName, newStudio, publishActive } from './registry-publishing.ts';
import type { NodePage, NodeVersion } from './registry-wire.ts';
import { announce, get as getUpload, put as putUpload } from './storage.ts';
import { newPicture, take, upload } from './user-files.ts';
import { pictureWorkflow } from './workflows.ts';

/** Something of everything that an installation keeps for people. */
export interface Whole {
  readonly person: Person;
  /** Signed before any backup. */
  readonly token: string;
  readonly key: string;
  readonly output: FileReference;
  readonly input: FileReference;
  readonly videoTask: string;
  readonly pack: string;
  readonly workflow: string;
  readonly uploadLink: string;
}

type At = Pick<RunningServer, 'url'>;

export async function fillInstallation(server: RunningServer): Promise<Whole> {
  const person = await newPerson(server);
  await setTier(server, person.id, 'pro');
  await admin(server).post(`/admin/users/${person.id}/credits`, { amount: 100_000 });
  const token = await tokenOf(server, person);
  const { secret: key } = await newKey(client(server.url, { bearer: token }));
  const api = client(server.url, { apiKey: key });
  const wish = { model: 'clipq3-pro', prompt: 'a fox', duration: 1, resolution: '540p', aspect_ratio: '1:1' };
  const { task_id: videoTask } = await createVideo(api, { ...wish, audio: false });
  const output = await makePicture(server, key);
  const { name, subfolder, type } = await upload(api, await newPicture(), 'odd “name”\u{1F98A}.png');
  const input = { filename: name, subfolder, type };
  const pack = newName('pack');
  await publishActive(server, await newStudio(server), pack, { innerNodes: ['FoxSampler'] });
  const workflow = encodeURIComponent('workflows/fox.json');
  assert.equal((await api.post(`/api/userdata/${workflow}`, { fox: '\u0001 “é” \u{1F98A}' })).status, 200);
  const { upload_url: to, download_url: uploadLink } = await announce(api);
  await putUpload(server, to, 'bytes of an upload');
  assert.equal((await videoLooks(api, videoTask)).at(-1)?.state, 'success');
  return { person, token, key, output, input, videoTask, pack, workflow, uploadLink };
}

/** Runs a job, whose output has the next number. */
export async function makePicture({ url }: At, key: string): Promise<FileReference> {
  const { outputs } = await finish(client(url, { apiKey: key }), pictureWorkflow());
  return outputs['2']?.['images']?.[0] ?? assert.fail('no picture');
}

/** All that the person can see of it. Two installations with the same give out the same bytes and know the same secrets. */
export async function seen(server: RunningServer, whole: Whole) {
  const api = client(server.url, { apiKey: whole.key });
  const anyone = client(server.url);
  const owner = client(server.url, { bearer: whole.token });
  assert.notEqual(await tokenOf(server, whole.person), '', 'the password is good');
  const { status, body: account } = await owner.get('/customers/me');
  assert.equal(status, 200, 'the token of before is good');
  const { creations } = await creationsOf(api, whole.videoTask);
  const videos = creations.flatMap(({ url, cover_url: cover }) => [url, cover]);
  const { body: version } = await anyone.get<NodeVersion>(`/nodes/${whole.pack}/install`);
  const { body: page } = await anyone.get<NodePage>('/nodes/search?search=fox');
  const bytes = async (url: string): Promise<string> => {
    const { status: found, bytes: content } = await take(url);
    assert.equal(found, 200, url);
    return content.toString('base64');
  };
  return {
    account,
    output: Buffer.from(await download(api, whole.output)).toString('base64'),
    input: Buffer.from(await download(api, whole.input)).toString('base64'),
    videos: await Promise.all(videos.map(bytes)),
    archive: await bytes(version.downloadUrl ?? ''),
    packs: page.nodes.map(({ id }) => id),
    workflow: (await api.get(`/api/userdata/${whole.workflow}`)).body,
    upload: (await getUpload(server, whole.uploadLink)).bytes.toString(),
    webhookSecret: (await api.get<{ secret: string }>('/webhooks/secret')).body.secret,
    credits: (await api.get<{ balance: number }>('/customers/credits')).body.balance,
  };
}
