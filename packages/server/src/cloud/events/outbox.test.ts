import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { decodeEvent, encodeEvent } from './encode-event.ts';
import { createOutbox } from './outbox.ts';
import type { UserEvent } from './user-event.ts';

/** A line whose reader is as slow as a test says. */
function slowLine() {
  const sent: string[] = [];
  const line = { bytes: 0, isGivenUp: false, drained: () => undefined as void };
  const outbox = createOutbox({
    buffered: () => line.bytes,
    send(event) {
      if (event.kind === 'message') sent.push(`${event.type} ${event.data}`);
      else sent.push(event.kind === 'preview' ? `preview of ${event.about.node_id}` : event.kind);
    },
    onceDrained(callback) {
      line.drained = callback;
    },
    giveUp() {
      line.isGivenUp = true;
    },
  });
  return { outbox, sent, line };
}

function message(type: string, data: string, { jobId = 'j', replaceable = false } = {}): UserEvent {
  return { kind: 'message', type, jobId, data, replaceable };
}

const state = (data: string, jobId = 'j') => message('progress_state', data, { jobId, replaceable: true });
const progress = (data: string) => message('progress', data, { replaceable: true });
const about = {
  node_id: '1',
  prompt_id: 'j',
  display_node_id: '1',
  parent_node_id: null,
  real_node_id: '1',
  image_type: 'image/png',
} as const;
const bytes = Buffer.from([1, 2, 3]);
const preview: UserEvent = { kind: 'preview', jobId: 'j', layout: 'metadata', about, bytes };
const picture: UserEvent = { kind: 'picture', jobId: 'j', clientId: 'tab', about, bytes };
const previewOf = (node_id: string, size = 1): UserEvent => ({
  ...preview,
  about: { ...about, node_id },
  bytes: Buffer.alloc(size),
});
const SLOW = 300 * 1024;

describe('an outbox', () => {
  it('holds events until it is opened, and sends the first ones before them', () => {
    const { outbox, sent } = slowLine();
    outbox.push(message('executed', '1'));
    outbox.open([message('status', '0')]);
    outbox.push(preview);
    assert.deepEqual(sent, ['status 0', 'executed 1', 'preview of 1']);
  });

  it('sends a slow reader all messages, but of replaceable ones only the newest, once there is room', () => {
    const { outbox, sent, line } = slowLine();
    outbox.open([]);
    line.bytes = SLOW;
    for (const event of [state('1'), preview, message('executed', '1'), state('2'), state('9', 'k')])
      outbox.push(event);
    assert.deepEqual(sent, ['executed 1']);
    line.bytes = 0;
    line.drained();
    assert.deepEqual(sent, ['executed 1', 'progress_state 2', 'progress_state 9', 'preview of 1']);
  });

  it('keeps the newest picture of each of four nodes for a slow reader, and sends it after messages', () => {
    const { outbox, sent, line } = slowLine();
    outbox.open([]);
    line.bytes = SLOW;
    for (const node of ['1', '2', '3', '4', '2', '5', '6']) outbox.push(previewOf(node));
    outbox.push(previewOf('7', SLOW));
    outbox.push(state('1'));
    line.bytes = 0;
    line.drained();
    assert.deepEqual(sent, ['progress_state 1', ...['4', '2', '5', '6'].map((node) => `preview of ${node}`)]);
  });

  it('leaves out no picture that was asked for, and allows such a reader a larger buffer', () => {
    const { outbox, sent, line } = slowLine();
    outbox.push(picture);
    outbox.open([]);
    line.bytes = 20 * 1024 * 1024;
    for (const event of [picture, preview, message('executed', '1')]) outbox.push(event);
    assert.deepEqual(sent, ['picture', 'picture', 'executed 1']);
    line.bytes = 65 * 1024 * 1024;
    outbox.push(picture);
    assert.ok(line.isGivenUp);
  });

  it('sends a picture unchanged to another server', () => {
    for (const event of [picture, preview]) {
      const said = encodeEvent(event);
      assert.deepEqual(decodeEvent(said.text, said.bytes), event);
    }
  });

  it('sends held events before the end of their job, but no progress of a finished node', () => {
    const { outbox, sent, line } = slowLine();
    outbox.open([]);
    line.bytes = SLOW;
    for (const event of [progress('1'), preview, state('1'), message('executing', '2')]) outbox.push(event);
    outbox.push(message('execution_success', '3'));
    line.drained();
    assert.deepEqual(sent, ['executing 2', 'progress_state 1', 'execution_success 3']);
  });

  it('sends held events first when the reader has caught up unnoticed', () => {
    const { outbox, sent, line } = slowLine();
    outbox.open([]);
    line.bytes = SLOW;
    outbox.push(state('1'));
    line.bytes = 10;
    outbox.push(message('executed', '2'));
    assert.deepEqual(sent, ['progress_state 1', 'executed 2']);
  });

  it('gives up a reader that leaves 16 MiB unread, and sends it nothing more', () => {
    const { outbox, sent, line } = slowLine();
    outbox.open([]);
    line.bytes = 17 * 1024 * 1024;
    outbox.push(message('executed', '1'));
    line.bytes = 0;
    outbox.push(message('executed', '2'));
    assert.equal(line.isGivenUp, true);
    assert.deepEqual(sent, []);
  });

  it('gives up a reader when 16 MiB wait before it is open', () => {
    const { outbox, sent, line } = slowLine();
    const large = message('executed', 'x'.repeat(1024 * 1024));
    for (let count = 0; count < 17; count += 1) outbox.push(large);
    outbox.open([message('status', '0')]);
    assert.equal(line.isGivenUp, true);
    assert.deepEqual(sent, []);
  });
});
