import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { seriesIn } from '../../../test/support/series-in.ts';
import { createMeters } from './create-meters.ts';

const FAILURES = 'atelier_metric_read_failures_total{metric="room"}';

function metersAndErrors(readMs?: number) {
  const errors: Error[] = [];
  const onError = (error: unknown): void => void errors.push(error as Error);
  return { errors, meters: createMeters({ onError, ...(readMs !== undefined && { readMs }) }) };
}

describe('meters', () => {
  it('show every series from the start, at 0', async () => {
    const { meters } = metersAndErrors();
    meters.counter({ name: 'ends_total', help: '-', labels: { kind: ['a', 'b'], outcome: ['good', 'bad'] } });
    meters.seconds({ name: 'work_seconds', help: '-', labels: { kind: ['a'] } });
    meters.gauge({ name: 'places', help: '-', labels: { state: ['free', 'taken'] }, read: () => [] });
    assert.deepEqual(seriesIn(await meters.render()), {
      'ends_total{kind="a",outcome="good"}': 0,
      'ends_total{kind="a",outcome="bad"}': 0,
      'ends_total{kind="b",outcome="good"}': 0,
      'ends_total{kind="b",outcome="bad"}': 0,
      'work_seconds_sum{kind="a"}': 0,
      'work_seconds_count{kind="a"}': 0,
      'places{state="free"}': 0,
      'places{state="taken"}': 0,
      'atelier_metric_read_failures_total{metric="places"}': 0,
    });
  });

  it('count, and observe a negative time as 0', async () => {
    const { meters } = metersAndErrors();
    const ends = meters.counter({ name: 'ends_total', help: '-', labels: {} });
    const work = meters.seconds({ name: 'work_seconds', help: '-', labels: {} });
    ends.add({});
    ends.add({}, 4);
    work.observe({}, 1.5);
    work.observe({}, -20);
    const series = seriesIn(await meters.render());
    assert.equal(series['ends_total'], 5);
    assert.equal(series['work_seconds_sum'], 1.5);
    assert.equal(series['work_seconds_count'], 2);
  });

  it('read a gauge anew for every answer, and forget what it had before', async () => {
    const { meters } = metersAndErrors();
    let samples: [{ state: string }, number][] = [[{ state: 'gone' }, 3]];
    meters.gauge({ name: 'room', help: '-', labels: { state: ['free'] as string[] }, read: () => samples });
    assert.equal(seriesIn(await meters.render())['room{state="gone"}'], 3);
    samples = [[{ state: 'free' }, 2]];
    const series = seriesIn(await meters.render());
    assert.equal(series['room{state="free"}'], 2);
    assert.equal('room{state="gone"}' in series, false);
  });

  it('omit a gauge that cannot be read, count and report the failure, and show the rest', async () => {
    const { meters, errors } = metersAndErrors();
    let isBroken = false;
    meters.gauge({
      name: 'room',
      help: '-',
      labels: {},
      read() {
        if (isBroken) throw new Error('no database');
        return [[{}, 7]];
      },
    });
    meters.gauge({ name: 'other', help: '-', labels: {}, read: async () => [[{}, 1]] });
    assert.equal(seriesIn(await meters.render())['room'], 7);
    isBroken = true;
    const series = seriesIn(await meters.render());
    assert.equal('room' in series, false);
    assert.equal(series[FAILURES], 1);
    assert.equal(series['other'], 1);
    assert.deepEqual(
      errors.map(({ message, cause }) => [message, (cause as Error).message]),
      [['room could not be read.', 'no database']],
    );
    isBroken = false;
    assert.equal(seriesIn(await meters.render())['room'], 7);
  });

  it('do not wait for a read that hangs, and do not repeat it meanwhile', async () => {
    const { meters, errors } = metersAndErrors(20);
    const hanging = Promise.withResolvers<[Record<string, never>, number][]>();
    let reads = 0;
    meters.gauge({
      name: 'room',
      help: '-',
      labels: {},
      read: async () => {
        reads += 1;
        return await hanging.promise;
      },
    });
    let laterReads = 0;
    const read = async (): Promise<never> => {
      laterReads += 1;
      throw new Error('nobody asks while there is no time');
    };
    meters.gauge({ name: 'later', help: '-', labels: {}, read });
    for (let answer = 1; answer <= 3; answer += 1) {
      const series = seriesIn(await meters.render());
      assert.equal('room' in series, false);
      assert.equal(series[FAILURES], answer);
    }
    assert.equal(reads, 1);
    assert.equal(laterReads, 0);
    assert.equal(errors.length, 6);
    hanging.resolve([[{}, 5]]);
    await hanging.promise;
    assert.equal(seriesIn(await meters.render())['room'], 5);
  });
});
