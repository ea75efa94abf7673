import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import {
  DETECTION_BYTES,
  detectMediaType,
  dispositionFor,
  OCTET_STREAM,
  parseMediaType,
  toMediaType,
} from './media-types.ts';

describe('media types', () => {
  it('recognizes a picture whose metadata or directory lies beyond the head', async () => {
    const png = Buffer.from(
      '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489001e84807445587461',
      'hex',
    );
    const tiff = Buffer.from('49492a00404b4c00', 'hex');
    const head = (start: Buffer) => Buffer.concat([start, Buffer.alloc(DETECTION_BYTES)], DETECTION_BYTES);
    assert.equal(await detectMediaType(head(png)), 'image/png');
    assert.equal(await detectMediaType(head(tiff)), 'image/tiff');
  });

  it('names neither XML, in any encoding, nor text', async () => {
    for (const text of ['<?xml version="1.0"?><svg/>', '<svg/>', '<!doctype html>', 'WEBVTT\n\n', 'text']) {
      for (const content of [
        Buffer.from(text),
        Buffer.from(`\uFEFF${text}`),
        Buffer.from(`\uFEFF${text}`, 'utf16le'),
      ]) {
        assert.equal(await detectMediaType(content), OCTET_STREAM, content.toString('latin1'));
      }
    }
  });

  it('never fails, whatever the bytes', async () => {
    const magic = [
      '504b0304',
      '89504e47',
      '49492a00',
      '4d4d002a',
      '494433',
      '1a45dfa3',
      '3026b2758e66cf11',
      '1f8b08',
      '',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...magic), fc.uint8Array({ maxLength: 400 }), async (start, rest) => {
        const type = await detectMediaType(Buffer.concat([Buffer.from(start, 'hex'), rest]));
        assert.equal(toMediaType(type), type);
      }),
      { numRuns: 500 },
    );
  });

  it('accepts only media types that are valid in a header', () => {
    for (const type of [
      'image/png',
      'audio/ogg; codecs=opus',
      'text/plain;charset=utf-8',
      'video/mp4; codecs="avc1, mp4a"',
    ]) {
      assert.equal(toMediaType(type), type);
    }
    assert.equal(toMediaType('Image/PNG'), 'image/png');
    for (const type of [
      '',
      'png',
      'image/',
      '/png',
      'image/png\r\nx: y',
      'image/png; ',
      'a/b/c',
      'image/é',
      'a/b;c="\n"',
    ]) {
      assert.equal(toMediaType(type), OCTET_STREAM, type);
    }
  });

  it('are normalized for comparison, whatever their case and spaces', () => {
    for (const type of [
      'text/plain;charset=utf-8',
      ' Text/Plain ; Charset=UTF-8 ',
      'text/plain; charset=utf-8',
    ]) {
      assert.equal(parseMediaType(type), 'text/plain; charset=utf-8');
    }
    for (const type of ['', 'png', 'image/png;', 'image/png\r\nx: y', 'image/png, image/png']) {
      assert.equal(parseMediaType(type), undefined, type);
    }
  });

  it('makes everything that a browser could run an attachment', () => {
    const active = [
      'text/html',
      'text/html; charset=utf-8',
      'application/xhtml+xml',
      'image/svg+xml',
      'text/xml',
      'application/rss+xml',
      'text/xsl',
      'text/javascript',
      'application/ecmascript',
      'application/pdf',
      'application/x-shockwave-flash',
      'application/wasm',
      'multipart/related',
      'message/rfc822',
    ];
    for (const type of active) assert.equal(dispositionFor(type, 'inline'), 'attachment', type);
  });

  it('shows pictures, video and sound by default, and other things only on request', () => {
    for (const type of ['image/png', 'video/mp4', 'audio/ogg; codecs=opus']) {
      assert.equal(dispositionFor(type, undefined), 'inline');
      assert.equal(dispositionFor(type, 'attachment'), 'attachment');
    }
    for (const type of [OCTET_STREAM, 'text/plain', 'application/zip', 'application/json']) {
      assert.equal(dispositionFor(type, undefined), 'attachment');
      assert.equal(dispositionFor(type, 'inline'), 'inline');
    }
  });
});
