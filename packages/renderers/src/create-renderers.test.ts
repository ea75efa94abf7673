import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';

import { createRenderers } from './create-renderers.ts';
import { RenderError, type SkinRequest, type VideoRequest } from './render-request.ts';

describe('renderers in processes', () => {
  let folder: string;
  let input: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'renderers-'));
    input = join(folder, 'input.jpg');
    await sharp({ create: { width: 64, height: 48, channels: 3, background: '#c08060' } })
      .jpeg()
      .toFile(input);
  });
  after(async () => await rm(folder, { recursive: true, force: true }));

  const skin = (name: string, from = input): SkinRequest => ({
    kind: 'skin',
    input: from,
    output: join(folder, name),
    settings: { mode: 'faithful', sharpen: 10, smartGrain: 5, skinDetail: 50, seed: 1 },
  });
  const longVideo = (name: string): VideoRequest => ({
    kind: 'video',
    output: join(folder, name),
    cover: join(folder, `${name}.jpg`),
    settings: {
      prompt: 'waves',
      width: 96,
      height: 64,
      seconds: 16,
      seed: 1,
      style: 'general',
      movement: 'auto',
      audio: false,
      music: false,
      recommended: false,
    },
  });

  it('finish more requests than there are processes, one after the other', async () => {
    const renderers = createRenderers({ threads: 2 });
    const names = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'];
    await Promise.all(names.map(async (name) => await renderers.render(skin(name))));
    for (const name of names) assert.ok((await stat(join(folder, name))).size > 0);
    await renderers.close();
  });

  it('report a broken picture as the fault of the request, and keep working', async () => {
    const renderers = createRenderers({ threads: 1 });
    const broken = join(folder, 'broken.jpg');
    await writeFile(broken, 'no picture');
    await assert.rejects(async () => await renderers.render(skin('e.jpg', broken)), RenderError);
    await renderers.render(skin('f.jpg'));
    await renderers.close();
  });

  it('stop when they are aborted, leave nothing behind, and take the next request', async () => {
    const renderers = createRenderers({ threads: 1 });
    const ending = new AbortController();
    const reason = new Error('enough');
    const onProgress = (): void => ending.abort(reason);
    const request = longVideo('long.mp4');
    await assert.rejects(
      async () => await renderers.render(request, { signal: ending.signal, onProgress }),
      (error) => error === reason,
    );
    assert.ok(!(await readdir(folder)).includes('long.mp4'));
    await renderers.render(skin('g.jpg'));
    await renderers.close();
  });

  it('end what is under way when they are closed', async () => {
    const renderers = createRenderers({ threads: 1 });
    const begun = Promise.withResolvers<void>();
    const rendering = renderers.render(longVideo('closed.mp4'), { onProgress: () => begun.resolve() });
    const outcome = assert.rejects(rendering, /closed/);
    await begun.promise;
    await renderers.close();
    await outcome;
    await assert.rejects(async () => await renderers.render(skin('h.jpg')), /closed/);
  });
});
