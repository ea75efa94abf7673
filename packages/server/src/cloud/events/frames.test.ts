import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { messageFrame, metadataPreviewFrame, previewFrame, textFrame } from './frames.ts';

const about = {
  node_id: 'é',
  prompt_id: 'job',
  display_node_id: 'é',
  parent_node_id: null,
  real_node_id: 'é',
  image_type: 'image/jpeg',
} as const;

describe('binary frames', () => {
  it('have the type and the picture format before a plain preview', () => {
    const frame = previewFrame(about, Uint8Array.of(9, 8));
    assert.deepEqual([...frame], [0, 0, 0, 1, 0, 0, 0, 1, 9, 8]);
    assert.deepEqual(
      [...previewFrame({ ...about, image_type: 'image/png' }, Uint8Array.of())].slice(4),
      [0, 0, 0, 2],
    );
  });

  it('have the length in bytes of the metadata, the metadata, then the picture', () => {
    const frame = metadataPreviewFrame(about, Uint8Array.of(9, 8));
    const json =
      '{"node_id":"é","prompt_id":"job","display_node_id":"é","parent_node_id":null,"real_node_id":"é","image_type":"image/jpeg"}';
    assert.equal(Buffer.byteLength(json), json.length + 3);
    assert.deepEqual([...frame.subarray(0, 8)], [0, 0, 0, 4, 0, 0, 0, Buffer.byteLength(json)]);
    assert.equal(frame.subarray(8, -2).toString(), json);
    assert.deepEqual([...frame.subarray(-2)], [9, 8]);
  });

  it('have the length in bytes of the node id, the node id, then the text', () => {
    const frame = textFrame({ node_id: 'é', text: 'ß' });
    assert.deepEqual([...frame], [0, 0, 0, 3, 0, 0, 0, 2, 0xc3, 0xa9, 0xc3, 0x9f]);
  });
});

describe('a message frame', () => {
  it('has type and data, and is shared by all sockets', () => {
    const event = { kind: 'message', type: 'status', data: '{"a":1}', replaceable: true } as const;
    assert.equal(messageFrame(event).toString(), '{"type":"status","data":{"a":1}}');
    assert.equal(messageFrame(event), messageFrame(event));
  });
});
