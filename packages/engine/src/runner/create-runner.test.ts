import assert from 'node:assert/strict';
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  createCatalogue,
  createRunner,
  describeNodes,
  type EngineEvent,
  type Graph,
  loadPacks,
  type Outcome,
  PackError,
  type Runner,
} from '../index.ts';

const PACKS = {
  modules: ['../test/pack.ts', '../test/odd-pack.ts'].map((path) => new URL(path, import.meta.url).href),
};

describe('a runner', () => {
  let root: string;
  let runner: Runner;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'atelier-runner-'));
    runner = createRunner({ packs: PACKS, memoryBytes: 128 * 2 ** 20, heapMb: 64, jobMs: 300_000 });
  });
  after(async () => {
    await runner.close();
    rmSync(root, { recursive: true, force: true });
  });

  async function run(
    graph: Graph,
    {
      signal,
      on = runner,
      onEvent,
    }: { signal?: AbortSignal; on?: Runner; onEvent?: (event: EngineEvent) => void } = {},
  ): Promise<{ outcome: Outcome; events: string[] }> {
    const events: string[] = [];
    const folders = { input: join(root, 'i'), output: join(root, 'o'), temp: join(root, 't') };
    const outcome = await on.run(
      {
        jobId: 'job',
        graph: { ...graph, show: { class_type: 'Show', inputs: { value: ['node', 0] } } },
        targets: ['show'],
        folders,
      },
      {
        ...(signal ? { signal } : {}),
        onEvent(event) {
          events.push(event.type);
          onEvent?.(event);
        },
      },
    );
    return { outcome, events };
  }

  async function stillWorks(): Promise<void> {
    const { outcome } = await run({ node: { class_type: 'Number', inputs: { value: 4 } } });
    assert.deepEqual(outcome.outputs['show'], { text: ['4'] });
  }

  it('runs jobs one after another', async () => {
    const outcomes = await Promise.all(
      [1, 2, 3].map(async (value) => await run({ node: { class_type: 'Number', inputs: { value } } })),
    );
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome.outputs['show']),
      [{ text: ['1'] }, { text: ['2'] }, { text: ['3'] }],
    );
  });

  for (const [how, node] of [
    ['that looks for it', { class_type: 'Spin', inputs: { ms: 60_000, polite: true } }],
    ['that computes without looking', { class_type: 'Spin', inputs: { ms: 60_000, polite: false } }],
    ['that waits', { class_type: 'Delay', inputs: { value: ['one', 0], ms: 60_000 } }],
  ] as const) {
    it(`stops a node ${how} when the job is cancelled`, async () => {
      const abort = new AbortController();
      const { outcome, events } = await run(
        { one: { class_type: 'Number', inputs: { value: 1 } }, node },
        {
          signal: abort.signal,
          onEvent(event) {
            if (event.type === 'executing' && event.data.node === 'node') setTimeout(() => abort.abort(), 5);
          },
        },
      );
      assert.equal(outcome.status, 'interrupted');
      assert.equal(events.filter((type) => type === 'execution_interrupted').length, 1);
      await stillWorks();
    });
  }

  it('does not begin a job that was cancelled while it waited', async () => {
    const { outcome } = await run(
      { node: { class_type: 'Number', inputs: { value: 1 } } },
      { signal: AbortSignal.abort() },
    );
    assert.equal(outcome.status, 'interrupted');
  });

  for (const [how, mb, failsEverywhere] of [
    ['arena', 5000, undefined],
    ['arrays', 5000, undefined],
    ['objects', 5000, undefined],
    ['text', 17, true],
  ] as const) {
    it(`ends a job that takes too much memory as ${how}, and only that job`, async () => {
      const { outcome, events } = await run({ node: { class_type: 'Greedy', inputs: { how, mb } } });
      assert.equal(outcome.failsEverywhere, failsEverywhere);
      assert.equal(outcome.status, 'error');
      assert.equal(outcome.error?.exception_type, 'OOMError');
      assert.equal(outcome.error?.node_id, 'node');
      assert.equal(events.at(-1), 'execution_error');
      await stillWorks();
    });
  }

  for (const how of ['abort', 'exit', 'SIGSEGV', 'SIGKILL']) {
    it(`ends a job that ends its process, and only that job: ${how}`, async () => {
      const { outcome, events } = await run({ node: { class_type: 'Crash', inputs: { how } } });
      assert.equal(outcome.error?.exception_type, 'PanicError');
      assert.equal(outcome.error?.node_id, 'node');
      assert.equal(events.at(-1), 'execution_error');
      await stillWorks();
    });
  }

  it('ends a job that runs too long', async () => {
    const short = createRunner({ packs: PACKS, jobMs: 100 });
    const { outcome } = await run(
      { node: { class_type: 'Spin', inputs: { ms: 60_000, polite: true } } },
      { on: short },
    );
    assert.equal(outcome.error?.exception_type, 'TimeoutError');
    assert.match(outcome.error?.exception_message ?? '', /maximum execution time/);
    await short.close();
  });

  it('hears a cancel while the job waits for its turn', async () => {
    const first = run({ node: { class_type: 'Spin', inputs: { ms: 1000, polite: true } } });
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 20);
    const waiting = await run(
      { node: { class_type: 'Number', inputs: { value: 1 } } },
      { signal: abort.signal },
    );
    assert.equal(waiting.outcome.status, 'interrupted');
    assert.equal(await Promise.race([first, Promise.resolve('still running')]), 'still running');
    assert.equal((await first).outcome.status, 'success', JSON.stringify((await first).outcome.error));
  });

  it('gives a job no message of the one before it', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 30);
    await run({ node: { class_type: 'Talker', inputs: { secret: 'of another' } } }, { signal: abort.signal });
    const { events, outcome } = await run({
      node: { class_type: 'Spin', inputs: { ms: 150, polite: false } },
    });
    assert.equal(outcome.status, 'success');
    assert.ok(!events.includes('text'));
  });

  for (const how of ['throw', 'reject']) {
    it(`does not let a job pay for what an earlier one left behind: ${how}`, async () => {
      const late = { class_type: 'LateThrow', inputs: { ms: 30, how } };
      const first = await run({ node: late });
      const second = await run({ node: { class_type: 'Spin', inputs: { ms: 100, polite: false } } });
      const third = await run({ node: { class_type: 'Number', inputs: { value: 5 } } });
      assert.deepEqual(
        [first, second, third].map(({ outcome }) => outcome.status),
        ['success', 'success', 'success'],
      );
    });
  }

  it('removes the scratch files of a job that it had to leave behind', async () => {
    const temp = join(root, 't');
    const count = () => (existsSync(temp) ? readdirSync(temp).length : 0);
    const abort = new AbortController();
    const running = run({ node: { class_type: 'Scratcher', inputs: {} } }, { signal: abort.signal });
    await until(() => count() > 0);
    abort.abort();
    assert.equal((await running).outcome.status, 'interrupted');
    await until(() => count() === 0);
  });

  it('says so when a job cannot be handed to its process, and goes on', async () => {
    await assert.rejects(run({ node: { class_type: 'Number', inputs: { value: () => 1 } } }), /clone/);
    await stillWorks();
  });

  it('tells the caller when its own listener fails', async () => {
    const failing = run(
      { node: { class_type: 'Number', inputs: { value: 1 } } },
      {
        onEvent() {
          throw new Error('my own fault');
        },
      },
    );
    await assert.rejects(failing, /my own fault/);
    await stillWorks();
  });

  async function processId(): Promise<number> {
    const { outcome } = await run({ node: { class_type: 'ProcessId', inputs: {} } });
    return Number(outcome.outputs['show']?.['text']?.[0]);
  }

  it('replaces a process in which something failed between two jobs, and leaves none behind', async () => {
    const first = await processId();
    await run({ node: { class_type: 'LateThrow', inputs: { ms: 0, how: 'throw' } } });
    await until(async () => (await processId()) !== first);
    await until(() => !isAlive(first));
  });

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    it(`runs on when ${signal} is sent to every process of its group`, async () => {
      const first = await processId();
      process.kill(first, signal);
      assert.equal(await processId(), first);
    });
  }

  it('ends what a node has started together with its process', async () => {
    const { outcome } = await run({ node: { class_type: 'Starter', inputs: {} } });
    const started = Number(outcome.outputs['show']?.['text']?.[0]);
    assert.ok(isAlive(started));
    await run({ node: { class_type: 'Crash', inputs: { how: 'exit' } } });
    await until(() => !isAlive(started));
  });

  it('bounds what one job prints', async () => {
    const script = fileURLToPath(new URL('../test/run-printer.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 16 * 2 ** 20 });
    assert.equal(stdout.match(/much/g)?.length, Math.floor(2 ** 20 / 'much\n'.length));
    assert.match(stdout, /printed more than 1 MiB\. The rest is left out\.\nlittle\n$/);
  });

  it('leaves no process behind when its own one is killed in the middle of a job', async () => {
    const parent = fork(fileURLToPath(new URL('../test/run-for-ever.ts', import.meta.url)));
    const [pid] = (await once(parent, 'message')) as [number];
    parent.kill('SIGKILL');
    await until(() => !isAlive(pid));
  });

  it('takes another process when its own is ended while it loads, at most three', async () => {
    let ends = 2;
    const end = (message: unknown): void => {
      const { process: child } = message as { readonly process: ChildProcess };
      if (ends > 0) setImmediate(() => child.kill('SIGKILL'));
      ends -= 1;
    };
    const graph = { node: { class_type: 'Number', inputs: { value: 1 } } };
    subscribe('child_process', end);
    try {
      const unlucky = createRunner({ packs: PACKS });
      assert.equal((await run(graph, { on: unlucky })).outcome.status, 'success');
      assert.equal(ends, -1);
      await unlucky.close();
      ends = 3;
      const hopeless = createRunner({ packs: PACKS });
      await assert.rejects(run(graph, { on: hopeless }), /was ended while it loaded/);
      await hopeless.close();
    } finally {
      unsubscribe('child_process', end);
    }
  });

  it('takes another process when its own ends before it has the job', async () => {
    const graph = { node: { class_type: 'Number', inputs: { value: 1 } } };
    const unlucky = createRunner({ packs: PACKS });
    const { outcome } = await run({ node: { class_type: 'ProcessId', inputs: {} } }, { on: unlucky });
    const pid = Number(outcome.outputs['show']?.['text']?.[0]);
    process.kill(pid, 'SIGKILL');
    const again = await run(graph, { on: unlucky });
    assert.equal(again.outcome.status, 'success');
    assert.deepEqual(
      again.events.filter((type) => type === 'execution_start'),
      ['execution_start'],
    );
    await unlucky.close();
  });

  it('may be given any length of time', async () => {
    const patient = createRunner({ packs: PACKS, jobMs: Number.POSITIVE_INFINITY });
    const { outcome } = await run({ node: { class_type: 'Number', inputs: { value: 1 } } }, { on: patient });
    assert.equal(outcome.status, 'success');
    await patient.close();
  });

  it('says which pack cannot be loaded, and why', async () => {
    const folder = join(root, 'broken');
    const broken = createRunner({ packs: { modules: [], folders: [folder] } });
    for (const asked of [broken.describe(), broken.ready()]) {
      await assert.rejects(asked, (error) => {
        assert.ok(error instanceof PackError);
        assert.match(error.message, /broken cannot be loaded: there is no such folder/);
        return true;
      });
    }
    await broken.close();
  });

  it('describes the node types that it can run', async () => {
    const description = await runner.describe();
    assert.equal(description, describeNodes(createCatalogue(await loadPacks(PACKS))));
  });

  it('gives a job the environment of its time', async () => {
    let value = 'first';
    const changing = createRunner({ packs: PACKS, env: () => ({ ATELIER_TEST: value }) });
    const node = { class_type: 'Environment', inputs: { name: 'ATELIER_TEST' } };
    for (value of ['first', 'second']) {
      const { outcome } = await run({ node }, { on: changing });
      assert.deepEqual(outcome.outputs['show'], { text: [value] });
    }
    await changing.close();
  });

  describe('asked for a custom check', () => {
    async function check(
      word: string,
      { type = 'Moody', signal }: { type?: string; signal?: AbortSignal } = {},
    ) {
      const folders = { input: join(root, 'i'), output: join(root, 'o'), temp: join(root, 't') };
      const values = { word, seed: 2n ** 64n - 1n };
      return await runner.check({ type, values, types: {} }, { folders, ...(signal ? { signal } : {}) });
    }

    it('says what the check says', async () => {
      assert.equal(await check('please'), true);
      assert.equal(await check('no'), false);
      assert.equal(await check('now'), 'say please, 18446744073709551615');
      assert.equal(((await check('long')) as string).length, 4001);
    });

    it('fails as the check does, by name', async () => {
      await assert.rejects(check('throw'), { name: 'ValueError', message: 'a sentence' });
      await assert.rejects(check('', { type: 'Nope' }), /Nope has no check of its own/);
    });

    for (const [word, message] of [
      ['exit', /check of Moody ended its process/],
      ['SIGKILL', /check of Moody ended its process/],
      ['late throw', /check of Moody failed: too late/],
      ['spin', /check of Moody did not answer within 5 seconds/],
    ] as const) {
      it(`fails alone when the check ends in ${word}`, async () => {
        await assert.rejects(check(word), message);
        assert.equal(await check('please'), true);
        await stillWorks();
      });
    }

    it('stops when it is aborted', async () => {
      await assert.rejects(check('never', { signal: AbortSignal.timeout(50) }), /was stopped|cancelled/);
      assert.equal(await check('please'), true);
    });
  });

  it('loads a pack from any folder, which may import the engine by its name', async () => {
    const folder = mkdtempSync(join(root, 'own-'));
    writeFileSync(
      join(folder, 'index.ts'),
      `import { defineNode, definePack, int, output } from '@atelier/engine';
       const twice = defineNode({
         type: 'Twice', category: 'own', inputs: { value: int() }, outputs: [output('INT')],
         run: ({ value }: { value: number }) => [value * 2],
       });
       export const pack = definePack({ name: 'own', nodes: [twice] });`,
    );
    const own = createRunner({ packs: { ...PACKS, folders: [folder] } });
    const { outcome } = await run({ node: { class_type: 'Twice', inputs: { value: 21 } } }, { on: own });
    assert.deepEqual(outcome.outputs['show'], { text: ['42'] });
    await own.close();
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 300_000;
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadline, 'in vain');
    await wait(20);
  }
}
