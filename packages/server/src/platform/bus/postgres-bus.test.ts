import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPostgresDatabase, PATIENCE_MS, type TestDatabase } from '@atelier/testing';
import pg from 'pg';

import { Secret } from '../secret.ts';
import { createInProcessBus } from './in-process-bus.ts';
import { createPostgresBus, type PostgresBus } from './postgres-bus.ts';

interface Station extends AsyncDisposable {
  readonly bus: PostgresBus<string>;
  readonly needed: string[];
  readonly idle: string[];
  readonly errors: unknown[];
  missed(): number;
}

describe('the bus of several servers', () => {
  let database: TestDatabase | undefined;
  before(async () => {
    database = await createPostgresDatabase();
  });
  after(async () => await database?.drop());

  const urlOf = (): string => {
    if (!database) throw new Error('the database is there only while tests run');
    return database.url;
  };

  /** Events that begin with `!` concern all. */
  async function open(): Promise<Station> {
    const errors: unknown[] = [];
    const needed: string[] = [];
    const idle: string[] = [];
    let missed = 0;
    const local = createInProcessBus<string>((error) => errors.push(error));
    const bus = createPostgresBus<string>({
      url: new Secret(urlOf()),
      local,
      encode: (event) => event,
      decode: (text) => text,
      concernsAll: (event) => event.startsWith('!'),
      onReceived: (userId, event) => {
        if (event.startsWith('!')) needed.push(event);
        local.publish(userId, event);
      },
      onNeeded: (userId) => {
        needed.push(userId);
        bus.tellOthers(userId, `present of ${userId}`);
      },
      onIdle: (userId) => idle.push(userId),
      onMissed: () => {
        missed += 1;
      },
      onError: (error) => errors.push(error),
    });
    await bus.start();
    return {
      bus,
      needed,
      idle,
      errors,
      missed: () => missed,
      [Symbol.asyncDispose]: async () => await bus.close(),
    };
  }

  function hear({ bus }: Station, userId: string) {
    const heard: string[] = [];
    const stop = bus.subscribe(userId, (event) => heard.push(event));
    return { heard, stop };
  }

  it('brings events to listeners of other servers once and in order', async () => {
    await using a = await open();
    await using b = await open();
    const here = hear(a, 'ada');
    const there = hear(b, 'ada');
    const stranger = hear(b, 'bob');
    await until('the listener is known', () => there.heard.length === 1 && here.heard.length === 1);
    const events = Array.from({ length: 500 }, (_, index) => `event ${index}`);
    for (const event of events) a.bus.publish('ada', event);
    await until('the last event', () => there.heard.at(-1) === events.at(-1));
    assert.deepEqual(there.heard, ['present of ada', ...events]);
    assert.equal(here.heard.length, 1 + events.length);
    assert.deepEqual(stranger.heard, ['present of bob']);
    assert.deepEqual([...a.errors, ...b.errors], []);
  });

  it('brings events that are larger than a payload whole and in their place', async () => {
    await using a = await open();
    await using b = await open();
    const { heard } = hear(b, 'ada');
    await until('the listener is known', () => heard.length === 1);
    const events = ['before', `"ü\u0000🎨${'x'.repeat(7000)}`, 'é'.repeat(600_000), 'after'];
    for (const event of events) a.bus.publish('ada', event);
    await until('the last event', () => heard.at(-1) === 'after');
    assert.deepEqual(heard.slice(1), events);
    a.bus.publish('ada', 'x'.repeat(5 * 1024 * 1024));
    a.bus.publish('ada', 'still there');
    await until('what follows one that is too large', () => heard.at(-1) === 'still there');
    assert.equal(a.errors.length, 1);
  });

  it('knows who listens elsewhere, also those who did before it started, and forgets them when they stop', async () => {
    await using a = await open();
    const first = hear(a, 'ada');
    await using b = await open();
    await until('the old listener', () => b.bus.hasListeners('ada'));
    // More than once when PostgreSQL was too busy to carry a sign of life in time.
    assert.deepEqual([...new Set(b.needed)], ['ada']);
    first.stop();
    first.stop();
    assert.deepEqual(a.idle, ['ada']);
    await until('nobody', () => !b.bus.hasListeners('ada'));
    const calls = b.needed.length;
    const again = hear(a, 'ada');
    await until('the listener is back', () => b.needed.length > calls);
    again.stop();
    const c = await open();
    hear(c, 'eve');
    await until('the third server', () => b.bus.hasListeners('eve'));
    await c.bus.close();
    await until('the third server is gone', () => !b.bus.hasListeners('eve'));
  });

  it('brings what concerns all also to servers where nobody listens', async () => {
    await using a = await open();
    await using b = await open();
    const { stop } = hear(b, 'bob');
    await until('the servers know each other', () => a.bus.hasListeners('bob'));
    stop();
    a.bus.publish('ada', 'not this');
    a.bus.publish('ada', '!this');
    await until('what concerns all', () => b.needed.includes('!this'));
  });

  it('connects again when PostgreSQL ends the connection, and says again how things stand', async () => {
    await using a = await open();
    await using b = await open();
    const { heard } = hear(b, 'ada');
    await until('the listener is known', () => heard.length === 1);
    await endConnections(urlOf());
    await until('both are back', () => a.missed() === 1 && b.missed() === 1);
    await until('it is needed again', () => heard.length > 1);
    a.bus.publish('ada', 'after');
    await until('an event after it', () => heard.at(-1) === 'after');
    assert.deepEqual([...new Set(heard)], ['present of ada', 'after']);
    assert.equal(heard.filter((event) => event === 'after').length, 1);
  });

  it('starts without PostgreSQL, and carries events on its own server', async () => {
    const errors: unknown[] = [];
    const bus = createPostgresBus<string>({
      url: new Secret('postgres://nobody:nothing@127.0.0.1:1/none'),
      local: createInProcessBus<string>((error) => errors.push(error)),
      encode: (event) => event,
      decode: (text) => text,
      concernsAll: () => true,
      onReceived: () => undefined,
      onNeeded: () => undefined,
      onIdle: () => undefined,
      onMissed: () => undefined,
      onError: (error) => errors.push(error),
    });
    await bus.start();
    const heard: string[] = [];
    bus.subscribe('ada', (event) => heard.push(event));
    bus.publish('ada', 'hello');
    assert.deepEqual(heard, ['hello']);
    assert.equal(errors.length, 1);
    await bus.close();
  });
});

async function endConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'atelier events' and datname = current_database()",
  );
  await client.end();
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  while (!isSo()) {
    assert.ok(!deadline.aborted, `${what}: it did not come about`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
