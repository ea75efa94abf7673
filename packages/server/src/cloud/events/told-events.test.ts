import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { endMarker } from './messages.ts';
import { createToldEvents } from './told-events.ts';
import type { MessageEvent } from './user-event.ts';

const event = (id: string | undefined, jobId = 'job'): MessageEvent => ({
  kind: 'message',
  type: 'executing',
  jobId,
  data: '{}',
  replaceable: false,
  ...(id !== undefined && { id }),
});

describe('events that were told', () => {
  it('are not told again, also when all of them come again', () => {
    const told = createToldEvents();
    const news = ['1-1', '1-2', '1-1', '1-2', '1-3'].map((id) => told.note(event(id)));
    assert.deepEqual(news, [true, true, false, false, true]);
  });

  it('are told of a later attempt, and no more of an earlier one', () => {
    const told = createToldEvents();
    assert.deepEqual(
      ['1-4', '2-1', '1-5', '2-2'].map((id) => told.note(event(id))),
      [true, true, false, true],
    );
  });

  it('are told apart by job, and forgotten with its end', () => {
    const told = createToldEvents();
    assert.ok(told.note(event('1-1')));
    assert.ok(told.note(event('1-1', 'another')));
    assert.ok(told.note(endMarker('job')));
    assert.ok(told.note(event('1-1')));
  });

  it('are told when they say how the job ended, whatever their number', () => {
    const told = createToldEvents();
    assert.ok(told.note(event('1-5')));
    assert.ok(told.note({ ...event('1-1'), type: 'execution_interrupted' }));
  });

  it('without an id are always told', () => {
    const told = createToldEvents();
    assert.ok(told.note(event(undefined)));
    assert.ok(told.note(event(undefined)));
  });
});
