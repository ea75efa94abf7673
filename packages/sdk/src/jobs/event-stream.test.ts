import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createEventParser, type ServerSentEvent } from './event-stream.ts';

const STREAM =
  '\uFEFFid: 1-1\nevent: progress\ndata: {"a":1}\n\n: comment\n\ndata:one\r\ndata: two\r\n\r\nevent: x\rid: 2-1\rdata\r\r\nretry: 5\ndata: last\n\n';
const EVENTS: ServerSentEvent[] = [
  { type: 'progress', data: '{"a":1}', id: '1-1' },
  { type: 'message', data: 'one\ntwo', id: undefined },
  { type: 'x', data: '', id: '2-1' },
  { type: 'message', data: 'last', id: undefined },
];

describe('the parser of Server-Sent Events', () => {
  it('reads the same wherever the stream is cut', () => {
    for (let size = 1; size <= STREAM.length; size += 1) {
      const parse = createEventParser();
      const found: ServerSentEvent[] = [];
      for (let at = 0; at < STREAM.length; at += size) found.push(...parse(STREAM.slice(at, at + size)));
      assert.deepEqual(found, EVENTS, `pieces of ${size}`);
    }
  });

  it('keeps what is not complete to itself', () => {
    const parse = createEventParser();
    assert.deepEqual(parse('data: half\n'), []);
    assert.deepEqual(parse('\n'), [{ type: 'message', data: 'half', id: undefined }]);
    assert.deepEqual(parse('event: nothing\n\n'), []);
  });
});
