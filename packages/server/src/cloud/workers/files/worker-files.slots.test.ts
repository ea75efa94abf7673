import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { createRunner, FileExists, type Graph, type Runner } from '@atelier/engine';
import { openFiles } from '@atelier/worker/server-files';

import { onEachDatabase } from '../../../../test/support/on-each-database.ts';
import { type FilesServer, startFilesServer } from '../../files/test/files-server.ts';
import { aPicture } from '../../files/test/pictures.ts';
import { aQueue, someUsers, type TestQueue } from '../../queue/test/a-queue.ts';

const MODULE = import.meta.resolve('@atelier/worker/server-files');
const GRAPH: Graph = {
  1: { class_type: 'LoadImage', inputs: { image: 'in.png' } },
  2: { class_type: 'ImageInvert', inputs: { image: ['1', 0] } },
  3: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'out' } },
  4: { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
};

onEachDatabase('a slot of a worker on another machine', (db) => {
  interface Bench extends AsyncDisposable {
    readonly under: FilesServer;
    readonly queue: TestQueue;
    readonly folder: string;
    readonly userId: string;
    /** Requests by operation. */
    readonly seen: string[];
  }
  async function aBench(): Promise<Bench> {
    const under = await startFilesServer(db());
    const temporary = await mkdtempDisposable(join(tmpdir(), 'atelier-slots-'));
    const [userId = ''] = await someUsers(db(), 1);
    const seen: string[] = [];
    under.app.server.on('request', ({ method = '', url = '' }: { method?: string; url?: string }) =>
      seen.push(`${method} ${/files(\/\w+)?/.exec(url)?.[1] ?? ''}`.trim()),
    );
    return {
      under,
      queue: await aQueue(db()),
      folder: temporary.path,
      userId,
      seen,
      async [Symbol.asyncDispose]() {
        await under[Symbol.asyncDispose]();
        await temporary.remove();
      },
    };
  }
  async function upload({ under, userId }: Bench, name: string, bytes: Uint8Array): Promise<void> {
    await using staged = await under.cloud.files.stage();
    await writeFile(staged.path, bytes);
    await under.cloud.files.adopt(staged.path, { userId, folder: 'input', fileName: name });
  }
  async function access(bench: Bench, graph: object = GRAPH) {
    await bench.queue.add(bench.userId, { graph: JSON.stringify(graph) });
    const job = await bench.queue.start();
    const { path, key } = await bench.under.workerFiles.accessTo(job);
    const cache = { folder: join(bench.folder, 'cache'), maxBytes: 2 ** 20 };
    return { job, options: { url: `${bench.under.url}${path}`, key, scope: bench.userId, cache } };
  }
  async function runRemote(bench: Bench, runner: Runner, graph = GRAPH) {
    const { job, options } = await access(bench, graph);
    const remoteFiles = { module: MODULE, options, scratchIn: options.cache.folder };
    return await runner.run({ jobId: job.id, graph, targets: ['3', '4'], scope: bench.userId, remoteFiles });
  }

  it('creates the same files as a local slot, and fetches an input once', async () => {
    await using bench = await aBench();
    const picture = await aPicture(40, 30);
    await upload(bench, 'in.png', picture);
    const packs = { modules: [import.meta.resolve('@atelier/nodes')] };
    const local = join(bench.folder, 'local');
    const folders = { input: join(local, 'i'), output: join(local, 'o'), temp: join(local, 't') };
    for (const each of Object.values(folders)) await mkdir(each, { recursive: true });
    await writeFile(join(folders.input, 'in.png'), picture);

    const runner = createRunner({ packs });
    try {
      const beside = await runner.run({ jobId: 'local', graph: GRAPH, targets: ['3', '4'], folders });
      assert.equal(beside.status, 'success', JSON.stringify(beside.error));
      const first = await runRemote(bench, runner);
      assert.equal(first.status, 'success', JSON.stringify(first.error));
      assert.deepEqual(first.outputs['3'], beside.outputs['3']);
      const { output } = await bench.under.cloud.files.foldersOf(bench.userId);
      const made = await readFile(join(output, 'out_00001_.png'));
      assert.deepEqual(made, await readFile(join(folders.output, 'out_00001_.png')));
      assert.equal(bench.seen.filter((each) => each === 'GET /content').length, 1);
      assert.equal(bench.seen.filter((each) => each === 'PUT /content').length, 2);

      runner.forget();
      const second = await runRemote(bench, runner);
      assert.deepEqual(second.outputs['3']?.['images'], [
        { filename: 'out_00002_.png', subfolder: '', type: 'output' },
      ]);
      assert.equal(bench.seen.filter((each) => each === 'GET /content').length, 1, 'the worker has it');
      const left = await readdir(join(bench.folder, 'cache'));
      assert.ok(
        left.every((name) => /^[0-9a-f]{64}$/.test(name)),
        `no scratch: ${left.join(' ')}`,
      );

      const missing = await runRemote(bench, runner, {
        ...GRAPH,
        1: { class_type: 'LoadImage', inputs: { image: 'no.png' } },
      });
      assert.equal(missing.error?.exception_type, 'FileNotFoundError');
    } finally {
      await runner.close();
    }
  });

  it('numbers names, checks what it receives, respects the quota and waits for a server that is away', async () => {
    await using bench = await aBench();
    await upload(bench, 'in.bin', Buffer.alloc(700_000, 1));
    await upload(bench, 'two.bin', Buffer.alloc(600_000, 2));
    const open = async (...names: readonly string[]) => {
      const { options } = await access(bench, { 1: { class_type: 'Any', inputs: { names } } });
      const scratch = join(options.cache.folder, '.scratch-test');
      return openFiles(options, { scratch, signal: new AbortController().signal });
    };
    const ref = (name: string, folder: 'input' | 'output' | 'temp' = 'input') => ({
      folder,
      subfolder: '',
      name,
    });

    const files = await open('in.bin', 'two.bin');
    assert.equal(await files.exists(ref('in.bin')), true);
    assert.equal(await files.exists(ref('no.bin')), false);
    assert.equal(await files.contentHash(ref('in.bin')), hash('sha256', Buffer.alloc(700_000, 1)));
    const path = await files.localPath(ref('in.bin'));
    assert.match(path, /\.bin$/);
    await files.read(ref('two.bin'));
    const cached = await readdir(join(bench.folder, 'cache'));
    assert.equal(cached.filter((name) => name.length === 64).length, 1, 'both are larger than the cache');
    assert.equal((await readFile(path)).length, 700_000, 'a job keeps what it has');

    await files.create(ref('a.txt', 'output'), Buffer.from('one'));
    await assert.rejects(files.create(ref('a.txt', 'output'), Buffer.from('two')), FileExists);
    const scratch = await files.scratchPath('txt');
    await writeFile(scratch, 'three');
    await assert.rejects(files.adopt(ref('a.txt', 'output'), scratch), FileExists);
    await files.adopt(ref('b.txt', 'output'), scratch);
    assert.equal(Buffer.from(await files.read(ref('b.txt', 'output'))).toString(), 'three');
    assert.deepEqual([...(await files.list('output', ''))].toSorted(), ['a.txt', 'b.txt']);
    await assert.rejects(files.create(ref('../c.txt', 'output'), Buffer.from('x')), /refused/);
    const large = Buffer.alloc(2_500_000, 'abc');
    await files.create(ref('large.bin', 'temp'), large);
    const { temp } = await bench.under.cloud.files.foldersOf(bench.userId);
    assert.deepEqual(await readFile(join(temp, 'large.bin')), large, 'in three parts');
    await files.create(ref('empty', 'temp'), Buffer.alloc(0));
    await upload(bench, 'rest.bin', Buffer.alloc(10_000_000 - 1_300_000));
    await assert.rejects(
      files.create(ref('c.txt', 'output'), Buffer.from('four')),
      ({ name }: Error) => name === 'StorageFull',
    );
    await files.close();
    await assert.rejects(files.read(ref('in.bin')), /cancelled/);

    const later = await open();
    assert.equal(Buffer.from(await later.read(ref('b.txt', 'output'))).toString(), 'three', 'it made it');
    await assert.rejects(later.read(ref('in.bin')), /no file in\.bin in input/);
    const { input } = await bench.under.cloud.files.foldersOf(bench.userId);
    await later.close();

    const cut = await open('two.bin');
    let cuts = 2;
    bench.under.app.server.prependListener('request', (request: { socket: { destroy(): void } }) => {
      cuts -= 1;
      if (cuts >= 0) request.socket.destroy();
    });
    assert.equal(await cut.sizeBytes(ref('two.bin')), 600_000);
    assert.ok(cuts < 0);
    assert.equal(await readFile(join(input, 'two.bin')).then(({ length }) => length), 600_000);
    await cut.close();
  });
});
