import assert from 'node:assert/strict';
import { it } from 'node:test';

import { change, createHistory, redo, undo } from './history.ts';

it('Quick changes of one thing are one step, and each step can be undone and done again.', () => {
  let history = createHistory('');
  history = change(history, 'a', 'text', 0);
  history = change(history, 'ab', 'text', 100);
  history = change(history, 'abc', 'seed', 200);
  history = change(history, 'abcd', 'seed', 9000);
  assert.equal(history.past.length, 3);
  history = undo(undo(history));
  assert.equal(history.now, 'ab');
  assert.equal(undo(undo(history)).now, '');
  assert.equal(redo(history).now, 'abc');
  history = change(history, 'x', 'text', 9100);
  assert.equal(redo(history).now, 'x');
});
