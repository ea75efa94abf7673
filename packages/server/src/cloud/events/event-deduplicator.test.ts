import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEventDeduplicator } from './event-deduplicator.ts';
import { endMarker } from './messages.ts';
import type { MessageEvent } from './user-event.ts';

const event = (id: string | undefined, jobId = 'job'): MessageEvent => ({
  kind: 'message',
  type: 'executing',
  jobId,
  data: '{}',
  replaceable: false,
  ...(id !== undefined && { id }),
});

describe('events that were sent', () => {
  it('are sent once, even when all of them are received again', () => {
    const deduplicator = createEventDeduplicator();
    const news = ['1-1', '1-2', '1-1', '1-2', '1-3'].map((id) => deduplicator.note(event(id)));
    assert.deepEqual(news, [true, true, false, false, true]);
  });

  it('are sent for a later attempt, but no longer for an earlier one', () => {
    const deduplicator = createEventDeduplicator();
    assert.deepEqual(
      ['1-4', '2-1', '1-5', '2-2'].map((id) => deduplicator.note(event(id))),
      [true, true, false, true],
    );
  });

  it('are distinguished by job, and forgotten at its end', () => {
    const deduplicator = createEventDeduplicator();
    assert.ok(deduplicator.note(event('1-1')));
    assert.ok(deduplicator.note(event('1-1', 'another')));
    assert.ok(deduplicator.note(endMarker('job')));
    assert.ok(deduplicator.note(event('1-1')));
  });

  it('are always sent when they say how the job ended', () => {
    const deduplicator = createEventDeduplicator();
    assert.ok(deduplicator.note(event('1-5')));
    assert.ok(deduplicator.note({ ...event('1-1'), type: 'execution_interrupted' }));
  });

  it('without an id are always sent', () => {
    const deduplicator = createEventDeduplicator();
    assert.ok(deduplicator.note(event(undefined)));
    assert.ok(deduplicator.note(event(undefined)));
  });
});
