import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PATIENCE_MS } from '@atelier/testing';

import { createInProcessBus } from '../in-process-bus.ts';
import type { OpenLink } from '../link.ts';
import { createSharedBus, type SharedBus } from '../shared-bus.ts';
import { busContract } from './bus.contract.ts';

/** What carries the messages of a test. */
export interface Carrier extends AsyncDisposable {
  readonly openLink: OpenLink;
  /** A link that nothing answers. */
  readonly openDeadLink: OpenLink;
  /** Ends all connections. New ones are taken. */
  cut(): Promise<void>;
}

interface Station extends AsyncDisposable {
  readonly bus: SharedBus<string>;
  readonly needed: string[];
  readonly idle: string[];
  readonly leftOut: string[];
  readonly errors: unknown[];
  missed(): number;
  /** It notices that it has stood still, when it next sends something. */
  standStill(): void;
}

/** What holds for every bus that several servers share. Events have a part of bytes behind the first `#`. */
export function sharedBusContract(name: string, startCarrier: () => Promise<Carrier>): void {
  describe(name, () => checkSharedBus(name, startCarrier));
}

function checkSharedBus(name: string, startCarrier: () => Promise<Carrier>): void {
  let carrier: Carrier | undefined;
  before(async () => {
    carrier = await startCarrier();
  });
  after(async () => await carrier?.[Symbol.asyncDispose]());

  const carrierNow = (): Carrier => {
    if (!carrier) throw new Error('it is there only while tests run');
    return carrier;
  };

  /** Events that begin with `!` concern all. */
  async function open(openLink = carrierNow().openLink): Promise<Station> {
    const errors: unknown[] = [];
    const needed: string[] = [];
    const idle: string[] = [];
    let missed = 0;
    let hasStoodStill = false;
    const local = createInProcessBus<string>((error) => errors.push(error));
    const leftOut: string[] = [];
    const bus: SharedBus<string> = createSharedBus<string>({
      openLink,
      local,
      encode: encodeEvent,
      decode: (text, bytes) => (bytes ? `${text}#${Buffer.from(bytes).toString('latin1')}` : text),
      concernsAll: (event) => event.startsWith('!'),
      hasResumed() {
        const hasJustResumed = hasStoodStill;
        hasStoodStill = false;
        if (hasJustResumed) bus.reconnect();
        return hasJustResumed;
      },
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
      onLeftOut: (what) => leftOut.push(what),
      onError: (error) => errors.push(error),
    });
    await bus.start();
    return {
      bus,
      leftOut,
      needed,
      idle,
      errors,
      missed: () => missed,
      standStill: () => {
        hasStoodStill = true;
      },
      [Symbol.asyncDispose]: async () => await bus.close(),
    };
  }

  function hear({ bus }: Station, userId: string) {
    const heard: string[] = [];
    const stop = bus.subscribe(userId, (event) => heard.push(event));
    return { heard, stop };
  }

  busContract(name, async () => await open());

  describe(`${name}, between servers`, () => {
    it('delivers events to listeners on other servers once and in order', async () => {
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

    it('delivers events that are larger than a payload, in order', async () => {
      await using a = await open();
      await using b = await open();
      const { heard } = hear(b, 'ada');
      await until('the listener is known', () => heard.length === 1);
      const events = [
        'before',
        `"ü\u0000🎨${'x'.repeat(7000)}`,
        'é'.repeat(600_000),
        `text#\n{\xff${'b'.repeat(2_000_000)}`,
        'x#',
        'after',
      ];
      for (const event of events) a.bus.publish('ada', event);
      await until('the last event', () => heard.at(-1) === 'after');
      assert.deepEqual(heard.slice(1), events);
      a.bus.publish('ada', 'x'.repeat(5 * 1024 * 1024));
      a.bus.publish('ada', 'still there');
      await until('what follows one that is too large', () => heard.at(-1) === 'still there');
      assert.equal(a.errors.length, 1);
    });

    it('knows the listeners of other servers, even from before it started, until they stop', async () => {
      await using a = await open();
      const first = hear(a, 'ada');
      await using b = await open();
      await until('the old listener', () => b.bus.hasListeners('ada'));
      // More than once when the machine was too busy to carry a sign of life in time.
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

    it('delivers events for all servers even where nobody listens', async () => {
      await using a = await open();
      await using b = await open();
      const { stop } = hear(b, 'bob');
      await until('the servers know each other', () => a.bus.hasListeners('bob'));
      stop();
      a.bus.publish('ada', 'not this');
      a.bus.publish('ada', '!this');
      a.bus.tellAll('', '!of nobody');
      await until('what concerns all', () => b.needed.includes('!of nobody'));
      assert.deepEqual(
        b.needed.filter((event) => event.startsWith('!')),
        ['!this', '!of nobody'],
      );
    });

    it('reconnects after a lost connection, and announces its state again', async () => {
      await using a = await open();
      await using b = await open();
      const { heard } = hear(b, 'ada');
      await until('the listener is known', () => heard.length === 1);
      await carrierNow().cut();
      await until('both are back', () => a.missed() === 1 && b.missed() === 1);
      await until('it is needed again', () => heard.length > 1);
      a.bus.publish('ada', 'after');
      await until('an event after it', () => heard.at(-1) === 'after');
      assert.deepEqual([...new Set(heard)], ['present of ada', 'after']);
      assert.equal(heard.filter((event) => event === 'after').length, 1);
    });

    it('sends no events after a stall that are from before it', async () => {
      await using a = await open();
      await using b = await open();
      const there = hear(b, 'ada');
      await until('the listener is known', () => there.heard.length === 1);
      a.bus.publish('ada', 'old');
      a.standStill();
      await until('the new connection', () => a.missed() === 1 && there.heard.length === 2);
      a.bus.publish('ada', 'new');
      await until('the new event', () => there.heard.at(-1) === 'new');
      assert.deepEqual(there.heard, ['present of ada', 'present of ada', 'new']);
    });

    it('starts when nothing answers, and delivers events on its own server', async () => {
      await using a = await open(carrierNow().openDeadLink);
      const { heard } = hear(a, 'ada');
      a.bus.publish('ada', 'hello');
      assert.deepEqual(heard, ['hello']);
      assert.equal(a.bus.isOpen(), false);
      assert.ok(a.errors.length > 0);
    });

    it('drops old pictures but no message when too much waits, and delivers the newest picture', async () => {
      await using a = await open();
      await using b = await open();
      const { heard } = hear(b, 'ada');
      await until('the listener is known', () => heard.length === 1);
      const picture = 'x'.repeat(500_000);
      // All in one turn, so that nothing is sent in between.
      for (let step = 0; step < 100; step += 1) {
        a.bus.publish('ada', `step ${step}`);
        for (const node of ['1', '2', '3']) a.bus.publish('ada', `?${node} of ${step}#${picture}`);
      }
      a.bus.publish('ada', 'the end');
      await until('the end', () => heard.at(-1) === 'the end');
      const messages = heard.slice(1).filter((event) => !event.startsWith('?'));
      assert.deepEqual(messages, [...Array.from({ length: 100 }, (_, step) => `step ${step}`), 'the end']);
      const last = heard.slice(-3, -1);
      assert.deepEqual(last, [`?2 of 99#${picture}`, `?3 of 99#${picture}`]);
      assert.ok(a.leftOut.length > 290);
      assert.ok(a.leftOut.every((what) => what === 'picture'));
      assert.deepEqual(a.errors, []);
    });
  });
}

/** Events that begin with `?` are pictures of the node whose name follows. */
function encodeEvent(event: string) {
  const [text = '', bytes] = event.split('#');
  const said = bytes === undefined ? { text } : { text, bytes: Buffer.from(bytes, 'latin1') };
  return text.startsWith('?') ? { ...said, replaces: text.slice(0, 2) } : said;
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  while (!isSo()) {
    assert.ok(!deadline.aborted, `${what}: it did not come about`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
