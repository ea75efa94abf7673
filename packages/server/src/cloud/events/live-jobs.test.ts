import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toJson } from '@atelier/engine';

import { createInProcessBus } from '../../platform/bus/in-process-bus.ts';
import { createLiveJobs } from './live-jobs.ts';
import { blocks, caches, executes, isAt, previews, shows, starts, succeeds } from './test/job-story.ts';
import type { UserEvent } from './user-event.ts';

function listen({ userId = 'ada', isHeard = true } = {}) {
  const bus = createInProcessBus<UserEvent>((error) => {
    throw error;
  });
  const heard: UserEvent[] = [];
  const time = { now: 0 };
  let arrived = Promise.withResolvers<void>();
  if (isHeard) {
    bus.subscribe(userId, (event) => {
      heard.push(event);
      arrived.resolve();
      arrived = Promise.withResolvers();
    });
  }
  const live = createLiveJobs({ bus, clock: () => time.now });
  return { live, heard, time, bus, next: async () => await arrived.promise };
}

const job = { id: 'j', userId: 'ada', attempt: 2 };

function briefly(event: UserEvent): string {
  if (event.kind === 'message') return event.type;
  return event.kind === 'preview' ? event.layout : event.kind;
}

function statesIn(heard: readonly UserEvent[]): Record<string, unknown>[] {
  return heard.flatMap((event) =>
    event.kind === 'message' && event.type === 'progress_state'
      ? [(JSON.parse(event.data) as { nodes: Record<string, unknown> }).nodes]
      : [],
  );
}

describe('a live job', () => {
  it('sends each step in the order that clients expect, the end marker last', () => {
    const { live, heard } = listen();
    const told = live.begin(job);
    for (const event of [
      starts('j'),
      caches('j'),
      isAt('j', '1'),
      executes('j', '1'),
      isAt('j', '1', { value: 1, max: 2 }),
      previews('j', '1', Uint8Array.of(1)),
      { type: 'text', data: { prompt_id: 'j', node_id: '1', text: 'hello' } } as const,
      shows('j', '1'),
      isAt('j', '1', { state: 'finished' }),
      succeeds('j'),
    ]) {
      told.tell(event);
    }
    told.end();
    told.end();
    assert.deepEqual(heard.map(briefly), [
      'execution_start',
      'execution_cached',
      'progress_state',
      'executing',
      'progress_state',
      'metadata',
      'progress',
      'plain',
      'text',
      'executed',
      'progress_state',
      'execution_success',
      'executing',
    ]);
    const last = heard.at(-1);
    assert.ok(last?.kind === 'message');
    assert.equal(last.data, '{"node":null,"prompt_id":"j"}');
    assert.equal(live.get('j'), undefined);
  });

  it('keeps everything but progress and text, numbered within the attempt, with or without listeners', () => {
    const { live } = listen({ isHeard: false });
    const told = live.begin(job);
    for (const event of [starts('j'), isAt('j', '1'), executes('j', '1'), shows('j', '1', 2n ** 60n)])
      told.tell(event);
    assert.deepEqual(
      told.kept().map(({ id, type }) => `${id} ${type}`),
      ['2-1 execution_start', '2-2 executing', '2-3 executed'],
    );
    assert.deepEqual(told.keptWith(succeeds('j')).at(-1), { id: '2-4', ...succeeds('j') });
    assert.equal(told.kept().length, 3);
    assert.equal(toJson(told.outputs()), '{"1":{"text":[1152921504606846976]}}');
  });

  it('writes integers of any size exactly', () => {
    const { live, heard } = listen();
    live.begin(job).tell(shows('j', '1', 2n ** 60n));
    const [event] = heard;
    assert.ok(event?.kind === 'message');
    assert.match(event.data, /1152921504606846976/);
  });

  it('sends nothing after its final event, and nothing at the end of an attempt without one', () => {
    const { live, heard } = listen();
    const told = live.begin(job);
    told.tell(succeeds('j'));
    told.tell(starts('j'));
    told.tell(isAt('j', '1'));
    assert.deepEqual(heard.map(briefly), ['execution_success']);
    const other = live.begin({ ...job, id: 'k' });
    other.tell(starts('k'));
    other.end();
    other.tell(executes('k', '1'));
    assert.deepEqual(heard.map(briefly), ['execution_success', 'execution_start']);
  });

  it('continues after "execution blocked", an error without a time', () => {
    const { live, heard } = listen();
    const told = live.begin(job);
    told.tell(blocks('j'));
    told.tell(succeeds('j'));
    assert.deepEqual(heard.map(briefly), ['execution_error', 'execution_success']);
  });

  it('sends nothing of an older attempt once a newer one has started', () => {
    const { live, heard } = listen();
    const old = live.begin(job);
    const newer = live.begin({ ...job, attempt: 3 });
    old.tell(starts('j'));
    old.end();
    assert.equal(live.get('j'), newer);
    newer.tell(starts('j'));
    assert.equal(heard.length, 1);
    assert.equal(newer.kept()[0]?.id, '3-1');
  });

  it('knows the messages that a new watcher needs first, about jobs of that user only', () => {
    const { live } = listen({ isHeard: false });
    const told = live.begin(job);
    assert.deepEqual(told.present(), []);
    for (const event of [
      starts('j'),
      isAt('j', '1'),
      executes('j', '1'),
      isAt('j', '2'),
      executes('j', '2'),
    ]) {
      told.tell(event);
    }
    const [, executing, state] = told.present();
    assert.deepEqual(told.present().map(briefly), ['execution_start', 'executing', 'progress_state']);
    assert.match(executing?.data ?? '', /"node":"2"/);
    assert.deepEqual(Object.keys(statesIn(state ? [state] : [])[0] ?? {}), ['1', '2']);
    assert.deepEqual(live.of('ada'), [told]);
    assert.deepEqual(live.of('bob'), []);
    told.tell(succeeds('j'));
    assert.deepEqual(told.present(), []);
  });

  it('describes an interruption by the current node and the executed ones, without sending it', () => {
    const { live, heard } = listen();
    const graph = '{"1": {"class_type": "Load"}, "2": {"class_type": "Save", "inputs": {}}}';
    const told = live.begin({ ...job, graph });
    told.tell(isAt('j', '1', { state: 'finished' }));
    told.tell(isAt('j', '2.0.1', { real_node_id: '2' }));
    const before = heard.length;
    const expected = { prompt_id: 'j', node_id: '2', node_type: 'Save', executed: ['1'], timestamp: 5 };
    assert.deepEqual(told.interruption(5), expected);
    assert.equal(heard.length, before);
    assert.equal(live.begin({ ...job, id: 'k' }).interruption(5).node_id, '');
  });

  it('keeps nodes with unusual names in the state', () => {
    const { live, heard } = listen();
    live.begin(job).tell(isAt('j', '__proto__'));
    assert.deepEqual(Object.keys(statesIn(heard)[0] ?? {}), ['__proto__']);
  });
});

describe('the state of a large graph', () => {
  it('is sent at intervals instead of at every change, and complete before the end', () => {
    const { live, heard, time } = listen();
    const told = live.begin(job);
    for (let node = 0; node < 5000; node += 1) {
      time.now += 0.02;
      told.tell(isAt('j', String(node), { state: 'finished' }));
    }
    assert.ok(statesIn(heard).length < 70, `${statesIn(heard).length} states`);
    told.tell(succeeds('j'));
    assert.equal(Object.keys(statesIn(heard).at(-1) ?? {}).length, 5000);
    assert.deepEqual(heard.slice(-2).map(briefly), ['progress_state', 'execution_success']);
  });

  it('is sent after the interval even if nothing else happens', async () => {
    const { live, heard, next } = listen();
    const told = live.begin(job);
    for (let node = 0; node < 70; node += 1) told.tell(isAt('j', String(node)));
    const soon = heard.length;
    await next();
    assert.equal(heard.length, soon + 1);
    assert.equal(Object.keys(statesIn(heard).at(-1) ?? {}).length, 70);
  });
});
