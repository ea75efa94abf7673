import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { Interrupted, NodeError } from '@atelier/engine';
import { nodeContext } from '../../test/run-node.ts';
import { decodePicture } from './decode-picture.ts';
import { toImage, toMask } from './decoded-floats.ts';
import type { DecodedPictures } from './decoded-pictures.ts';
import { bytesOf, type DecodeCase, fixture, putInput } from './test/image-io-fixture.ts';

const REF = { folder: 'input', subfolder: '', name: 'a.png' } as const;

async function decode(bytes: Uint8Array, name = 'a.png'): Promise<DecodedPictures> {
  using context = nodeContext();
  putInput(context, name, bytes);
  return await decodePicture({ ...REF, name }, context);
}

function referee(pictures: DecodeCase): readonly number[] {
  const bytes = bytesOf(pictures.rgba);
  return pictures.bits === 8
    ? [...bytes]
    : Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16LE(index * 2));
}

function fileOf(name: string): Buffer<ArrayBuffer> {
  return bytesOf(fixture.decode.find((one) => one.name === name)!.file);
}

describe('pictures are read as Pillow reads them', () => {
  for (const expected of fixture.decode) {
    test(expected.name, async () => {
      using context = nodeContext();
      const decoded = await decode(bytesOf(expected.file));
      const image = toImage(decoded, context);
      const { frames: batch, height, width } = expected;
      assert.deepEqual(
        { batch: image.batch, height: image.height, width: image.width, channels: image.channels },
        { batch, height, width, channels: 3 },
      );
      const wanted = referee(expected);
      const highest = 2 ** expected.bits - 1;
      let worst = 0;
      let sum = 0;
      image.data.forEach((value, index) => {
        const pixel = Math.floor(index / 3);
        const hidden = expected.name.includes('GIF') && wanted[pixel * 4 + 3] === 0;
        // Where a GIF is transparent Pillow has the palette's color, and the host white.
        const want = hidden ? 1 : Math.fround(wanted[pixel * 4 + (index % 3)]! / highest);
        if (expected.loss === 'none') assert.equal(value, want);
        worst = Math.max(worst, Math.abs(value - want) * 255);
        sum += Math.abs(value - want) * 255;
      });
      // Decoders of lossy files may differ in how they enlarge color and in how they round.
      const allowed = { none: [0, 0], jpeg: [2, 0.5], avif: [4, 1] }[expected.loss];
      assert.ok(
        worst <= allowed[0]! && sum / image.data.length <= allowed[1]!,
        `${worst} ${sum / image.data.length}`,
      );
    });
  }
});

describe('masks are as the host makes them', () => {
  for (const expected of fixture.decode) {
    test(`${expected.name}: ${expected.mask}`, async () => {
      using context = nodeContext();
      const mask = toMask(await decode(bytesOf(expected.file)), context);
      const { frames: batch, height, width } = expected;
      const size = expected.mask === 'small' ? { height: 64, width: 64 } : { height, width };
      assert.deepEqual({ batch: mask.batch, height: mask.height, width: mask.width }, { batch, ...size });
      if (expected.mask !== 'alpha') {
        assert.ok(mask.data.every((value) => value === 0));
        return;
      }
      const wanted = referee(expected);
      const highest = 2 ** expected.bits - 1;
      mask.data.forEach((value, pixel) => {
        assert.equal(value, Math.fround(1 - Math.fround(wanted[pixel * 4 + 3]! / highest)));
      });
    });
  }
});

test('a lossy WebP has the small mask also when its header promises an alpha that is not there', async () => {
  using context = nodeContext();
  const { height, width, file } = fixture.decode.find(({ name }) => name === 'lossy WebP')!;
  const picture = bytesOf(file).subarray(12);
  const head = Buffer.alloc(30);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(22 + picture.length, 4);
  head.write('WEBPVP8X', 8, 'latin1');
  head.writeUInt32LE(10, 16);
  head.writeUInt8(0x10, 20);
  head.writeUIntLE(width - 1, 24, 3);
  head.writeUIntLE(height - 1, 27, 3);
  const mask = toMask(await decode(Buffer.concat([head, picture])), context);
  assert.deepEqual([mask.height, mask.width], [64, 64]);
});

describe('a bad picture gets a sentence with the name of the file', () => {
  async function refused(bytes: Uint8Array, words: RegExp): Promise<void> {
    await assert.rejects(
      decode(bytes, 'holiday.png'),
      (error) =>
        error instanceof NodeError && error.message.includes('holiday.png') && words.test(error.message),
    );
  }

  test('nothing in it', async () => await refused(new Uint8Array(0), /empty/));
  test('a text', async () => await refused(Buffer.from('this is a text, called a picture'), /not a picture/));
  test('a drawing', async () => {
    await refused(
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      /not a picture/,
    );
  });
  test('only the first bytes of a PNG', async () =>
    await refused(fileOf('RGB PNG').subarray(0, 20), /not a picture/));

  const broken = fixture.decode.filter(({ loss, width }) => loss !== 'avif' && width > 1);
  for (const { name, file } of broken) {
    test(`half of it: ${name}`, async () => {
      const bytes = bytesOf(file);
      await refused(bytes.subarray(0, Math.floor(bytes.length / 2)), /damaged|not a picture/);
    });
  }

  test('a file whose name says another format is read by its content', async () => {
    assert.equal((await decode(fileOf('JPEG 4:2:0'), 'photo.png')).width, 11);
  });

  test('random changes end in a picture or a sentence', async () => {
    let state = 1;
    const random = (below: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return state % below;
    };
    for (const { file } of fixture.decode) {
      const bytes = bytesOf(file);
      for (let times = 0; times < 3; times++) bytes[8 + random(bytes.length - 8)] = random(256);
      await decode(bytes).catch((error: unknown) => assert.ok(error instanceof NodeError, String(error)));
    }
  });
});

describe('too large is refused by what the file says, before memory is taken', () => {
  /** A PNG that claims a size and has next to nothing in it. */
  function claiming(width: number, height: number): Buffer {
    const bytes = Buffer.from(fileOf('RGB PNG'));
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
    return bytes;
  }

  for (const [width, height, words] of [
    [16385, 1, /no edge may be longer than 16384/],
    [1, 100_000, /no edge/],
    [16384, 8193, /at most 128 megapixels/],
  ] as const) {
    test(`${width}×${height}`, async () => {
      await assert.rejects(decode(claiming(width, height)), words);
    });
  }

  test('a BMP', async () => {
    const bytes = fileOf('BMP');
    bytes.writeInt32LE(16000, 18);
    bytes.writeInt32LE(-16000, 22);
    await assert.rejects(decode(bytes), /at most 128 megapixels/);
  });

  test('many frames', async () => {
    const bytes = fileOf('animated PNG');
    bytes.writeUInt32BE(16384, 16);
    bytes.writeUInt32BE(4096, 20);
    await assert.rejects(decode(bytes), /3 frames of 16384×4096 pixels/);
  });

  test('more frames than a batch has', async () => {
    const tiny = Buffer.from('2c0000000001000100000202440100', 'hex');
    const header = Buffer.from('47494638396101000100800000000000ffffff', 'hex');
    const many = Buffer.concat([
      header,
      ...Array.from({ length: 4097 }, () => tiny),
      Buffer.from('3b', 'hex'),
    ]);
    await assert.rejects(decode(many), /4097 frames/);
  });

  test('a GIF whose screen is', async () => {
    const bytes = fileOf('animated GIF');
    bytes.writeUInt16LE(12_000, 6);
    bytes.writeUInt16LE(12_000, 8);
    await assert.rejects(decode(bytes), /megapixels/);
  });
});

test('a HEIC picture is named as what it is', async () => {
  const bytes = Buffer.alloc(64);
  bytes.write('\0\0\0\x18ftypheic', 0, 'latin1');
  await assert.rejects(decode(bytes, 'phone.heic'), /phone.heic is a HEIC picture/);
});

test('a cancelled job stops at the next step', async () => {
  using context = nodeContext();
  putInput(context, 'a.png', fileOf('RGB PNG'));
  context.cancel();
  await assert.rejects(decodePicture(REF, context), Interrupted);
});
