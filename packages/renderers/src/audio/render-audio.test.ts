import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AudioRequest, renderAudio, type Sound } from './render-audio.ts';

const render = (wanted: Partial<AudioRequest>): Sound =>
  renderAudio({ prompt: 'the sea', seconds: 1.5, seed: 7, ambience: true, music: false, ...wanted });

const rms = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);

function assertSound({ left, right }: Sound, seconds: number, what: string): void {
  for (const channel of [left, right]) {
    assert.equal(channel.length, Math.round(seconds * 48_000), what);
    assert.ok(channel.every(Number.isFinite), `${what}: not a number`);
    assert.ok(
      channel.every((value) => Math.abs(value) <= 10 ** (-1 / 20)),
      `${what}: above -1 dBFS`,
    );
    const offset = channel.reduce((sum, value) => sum + value, 0) / channel.length;
    assert.ok(Math.abs(offset) < 0.002, `${what}: offset ${offset}`);
    assert.ok(Math.abs(channel[0] ?? 1) < 0.001, `${what}: begins with a click`);
    assert.ok(Math.abs(channel.at(-1) ?? 1) < 0.001, `${what}: ends with a click`);
    for (let at = 0; at + 48_000 <= channel.length; at += 24_000)
      assert.ok(rms(channel.subarray(at, at + 48_000)) > 0.0005, `${what}: silent`);
  }
}

test('the same request gives the same samples, another seed gives others', () => {
  const one = render({ music: true, seconds: 0.1 });
  assert.deepEqual(render({ music: true, seconds: 0.1 }), one);
  assert.notDeepEqual(render({ music: true, seconds: 0.1, seed: 8 }).left, one.left);
});

test('every sound is as long as asked, below -1 dBFS, without offset, clicks or silence', () => {
  for (const prompt of ['the sea', 'rain', 'a storm', 'underwater', '', '雨の夜、東京', '\u0000\ud800'])
    assertSound(render({ prompt }), 1.5, prompt);
  assertSound(render({ ambience: false, music: true }), 1.5, 'music');
  // Longer than a wave and two chords.
  assertSound(render({ music: true, seconds: 9 }), 9, 'nine seconds');
});

test('waves, rain and the deep sea sound different from wind', () => {
  /** How much the samples jump: noise that is bright jumps more. */
  const brightness = (prompt: string): number => {
    const { left } = render({ prompt });
    return rms(left.map((value, at) => value - (left[at - 1] ?? 0))) / rms(left);
  };
  const [wind, deep] = [brightness('wind'), brightness('underwater')];
  assert.ok(brightness('rain') > 3 * wind && brightness('the sea') > 1.3 * wind && deep < wind);
});

test('without ambience and music there is silence', () => {
  assert.equal(rms(render({ ambience: false, seconds: 1 }).left), 0);
});
