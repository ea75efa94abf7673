import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { historyMessagesJson, keptEventsJson } from './kept-events-json.ts';

const EVENTS = [
  { id: '1-1', type: 'execution_start', data: { prompt_id: 'a' } },
  { id: '1-2', type: 'executing', data: { node: '[\n{"id":"1-3","type":"execution_start","data":{}},' } },
  { id: '1-3', type: 'executed', data: { output: { id: '9', type: 'execution_error', data: {} } } },
  { id: '1-4', type: 'execution_error', data: { message: 'a "}\n]', seed: 2n ** 64n } },
];
const SELECTED =
  '[["execution_start",{"prompt_id":"a"}],["execution_error",{"message":"a \\"}\\n]","seed":18446744073709551616}]]';

describe('kept events as JSON', () => {
  it('are valid JSON, and are selected by type, whatever other events contain', () => {
    const text = keptEventsJson(EVENTS);
    assert.deepEqual(
      (JSON.parse(text) as { id: string }[]).map(({ id }) => id),
      ['1-1', '1-2', '1-3', '1-4'],
    );
    assert.equal(historyMessagesJson(text), SELECTED);
  });

  it('are also selected from rows of older versions, which have one line', () => {
    const text = keptEventsJson(EVENTS).replaceAll('\n', '');
    assert.equal(historyMessagesJson(text), SELECTED);
  });

  it('may be none', () => {
    assert.deepEqual(JSON.parse(keptEventsJson([])), []);
    assert.equal(historyMessagesJson('[]'), '[]');
  });
});
