import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Trouble } from './test/troubled.worker.ts';
import { createThreadPool } from './thread-pool.ts';

const LONG_MS = 240_000;
const WORKER = new URL('./test/troubled.worker.ts', import.meta.url);

function createPool({ threads = 1, idleMs = LONG_MS, graceMs = 0, maxWaiting = 10 } = {}) {
  return createThreadPool<Trouble, number>({
    url: WORKER,
    threads,
    deadlineMs: LONG_MS,
    idleMs,
    graceMs,
    maxWaiting,
    resourceLimits: { maxOldGenerationSizeMb: 24 },
  });
}

async function threadOf(pool: ReturnType<typeof createPool>): Promise<number> {
  const outcome = await pool.run('none');
  assert.equal(outcome.kind, 'answer');
  return outcome.kind === 'answer' ? outcome.answer : -1;
}

describe('a thread pool', () => {
  it('keeps a thread warm for the next task', async () => {
    const pool = createPool();
    assert.equal(await threadOf(pool), await threadOf(pool));
    await pool.close();
  });

  it('runs as many tasks at once as it has threads, and the others in turn', async () => {
    const pool = createPool({ threads: 2 });
    const answers = await Promise.all(Array.from({ length: 6 }, async () => await threadOf(pool)));
    assert.equal(new Set(answers).size, 2);
    await pool.close();
  });

  for (const trouble of ['ends', 'throws', 'exhausts memory'] as const) {
    it(`tells that a thread died when it ${trouble}, and has a fresh one for the next task`, async () => {
      const pool = createPool();
      const before = await threadOf(pool);
      const outcome = await pool.run(trouble);
      assert.equal(outcome.kind, 'died');
      assert.notEqual(await threadOf(pool), before);
      await pool.close();
    });
  }

  it('ends a thread that has computed for longer than it may, and none that waits', async () => {
    const pool = createThreadPool<Trouble, number>({ url: WORKER, threads: 1, idleMs: LONG_MS, cpuMs: 300 });
    assert.equal((await pool.run('hangs')).kind, 'late');
    const abort = new AbortController();
    const waiting = pool.run('waits for the abort', { signal: abort.signal });
    await sleep(600);
    assert.equal(await Promise.race([waiting, Promise.resolve('still waits')]), 'still waits');
    abort.abort();
    await assert.rejects(waiting);
    await pool.close();
  });

  it('ends a thread that hangs at the deadline, and has a fresh one for those who waited', async (test) => {
    const pool = createPool();
    const before = await threadOf(pool);
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const hung = pool.run('hangs');
    const waited = threadOf(pool);
    await new Promise(setImmediate);
    test.mock.timers.tick(LONG_MS);
    assert.equal((await hung).kind, 'late');
    assert.notEqual(await waited, before);
    await pool.close();
  });

  it('lets its callers off: the one whose task runs and the one who waits', async () => {
    const pool = createPool();
    const running = new AbortController();
    const waiting = new AbortController();
    const first = pool.run('hangs', { signal: running.signal });
    const second = pool.run('hangs', { signal: waiting.signal });
    const third = pool.run('none');
    waiting.abort(new Error('no longer wanted'));
    await assert.rejects(second, /no longer wanted/);
    running.abort(new Error('never mind'));
    await assert.rejects(first, /never mind/);
    assert.equal((await third).kind, 'answer');
    await assert.rejects(pool.run('none', { signal: running.signal }), /never mind/);
    await pool.close();
  });

  it('lets an aborted task clean up and keeps its thread, when it has grace', async () => {
    const pool = createPool({ graceMs: LONG_MS });
    const before = await threadOf(pool);
    const aborting = new AbortController();
    const onProgress = () => aborting.abort(new Error('enough'));
    const run = pool.run('waits for the abort', { signal: aborting.signal, onProgress });
    await assert.rejects(run, /enough/);
    assert.equal(await threadOf(pool), before);
    await pool.close();
  });

  it('ends the thread of an aborted task that does not clean up within the grace', async () => {
    const pool = createPool({ graceMs: 1 });
    const before = await threadOf(pool);
    const aborting = new AbortController();
    const onProgress = () => aborting.abort(new Error('enough'));
    const hung = pool.run('hangs', { signal: aborting.signal, onProgress });
    await assert.rejects(hung, /enough/);
    assert.notEqual(await threadOf(pool), before);
    await pool.close();
  });

  it('refuses a task when too many wait', async () => {
    const pool = createPool({ maxWaiting: 1 });
    const running = assert.rejects(pool.run('hangs'), /closed/);
    const waiting = assert.rejects(pool.run('none'), /closed/);
    await assert.rejects(pool.run('none'), /Too many/);
    await pool.close();
    await Promise.all([running, waiting]);
  });

  it('rejects what is under way and what comes later once it is closed', async () => {
    const pool = createPool();
    const underWay = assert.rejects(pool.run('hangs'), /closed/);
    const waiting = assert.rejects(pool.run('none'), /closed/);
    await pool.close();
    await underWay;
    await waiting;
    await assert.rejects(pool.run('none'), /closed/);
    await pool.close();
  });

  it('lets a task clean up when it is closed, when it has grace', async () => {
    const pool = createPool({ graceMs: LONG_MS });
    const seen: number[] = [];
    const begun = Promise.withResolvers<void>();
    const onProgress = (done: number) => {
      seen.push(done);
      begun.resolve();
    };
    const underWay = assert.rejects(pool.run('waits for the abort', { onProgress }), /closed/);
    await begun.promise;
    await pool.close();
    await underWay;
    assert.deepEqual(seen, [0.5, 1]);
  });

  it('ends threads that have waited too long for a task', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const pool = createPool({ idleMs: 10 });
    const before = await threadOf(pool);
    test.mock.timers.tick(9);
    assert.equal(await threadOf(pool), before);
    test.mock.timers.tick(10);
    assert.notEqual(await threadOf(pool), before);
    await pool.close();
  });

  for (const inProcesses of [false, true]) {
    it(`does not keep the process alive with idle ${inProcesses ? 'processes' : 'threads'}`, async () => {
      const script = `
        const { createThreadPool } = await import(${JSON.stringify(new URL('./thread-pool.ts', import.meta.url).href)});
        const options = { threads: 1, idleMs: ${LONG_MS}, inProcesses: ${inProcesses} };
        const pool = createThreadPool({ url: new URL(${JSON.stringify(WORKER.href)}), ...options });
        await pool.run('none');
        process.stdout.write('answered');
      `;
      const run = promisify(execFile);
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
        timeout: LONG_MS / 2,
        cwd: fileURLToPath(new URL('.', import.meta.url)),
      });
      assert.equal(stdout, 'answered');
    });
  }
});

describe('a pool of processes', () => {
  const createProcesses = ({ graceMs = 0 } = {}) =>
    createThreadPool<Trouble, number>({
      url: WORKER,
      inProcesses: true,
      threads: 1,
      idleMs: LONG_MS,
      deadlineMs: LONG_MS,
      graceMs,
    });

  it('keeps a process warm for the next task', async () => {
    const pool = createProcesses();
    const pid = await threadOf(pool);
    assert.notEqual(pid, process.pid);
    assert.equal(await threadOf(pool), pid);
    await pool.close();
  });

  for (const [trouble, why] of [
    ['ends', /code 3/],
    ['throws', /^Error: trouble$/],
    ['crashes', /SIGABRT/],
  ] as const) {
    it(`survives a process that ${trouble}, says why, and has a fresh one for the next task`, async () => {
      const pool = createProcesses();
      const before = await threadOf(pool);
      const outcome = await pool.run(trouble);
      assert.ok(outcome.kind === 'died');
      assert.match(String(outcome.error), why);
      assert.notEqual(await threadOf(pool), before);
      await pool.close();
    });
  }

  it('lets an aborted task clean up, and ends a process that does not', async () => {
    const pool = createProcesses({ graceMs: LONG_MS });
    const before = await threadOf(pool);
    const aborting = new AbortController();
    const onProgress = () => aborting.abort(new Error('enough'));
    const run = pool.run('waits for the abort', { signal: aborting.signal, onProgress });
    await assert.rejects(run, /enough/);
    assert.equal(await threadOf(pool), before);
    const hung = assert.rejects(pool.run('hangs'), /closed/);
    await pool.close();
    await hung;
    assert.throws(() => process.kill(before, 0), { code: 'ESRCH' });
  });
});
