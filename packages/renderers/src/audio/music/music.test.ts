import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rms, spectrum } from '../test/measure.ts';
import { compose } from './compose.ts';
import { isInKey, type Key, toHz } from './harmony.ts';
import { MOODS } from './moods.ts';
import { renderMusic } from './render-music.ts';

const WORDS = {
  calm: 'calm',
  epic: 'epic',
  sad: 'sad',
  happy: 'happy',
  dark: 'horror',
  dreamy: 'dreamy',
} as const;

test('the mood follows the words', () => {
  for (const [mood, prompt] of Object.entries(WORDS))
    assert.equal(compose({ prompt, seconds: 5, seed: 1 }).mood.name, mood);
  assert.ok(
    compose({ prompt: 'happy', seconds: 8, seed: 1 }).beatSeconds <
      compose({ prompt: 'sad', seconds: 8, seed: 1 }).beatSeconds,
  );
});

test('every note is in the key, within the time, and the last chord is the tonic', () => {
  for (const { name } of MOODS) {
    for (const seconds of [1, 4.2, 16]) {
      const { key, chords, bass, keys, tune } = compose({ prompt: name, seconds, seed: 11 });
      for (const { note, at } of [...bass, ...keys, ...tune]) {
        assert.ok(isInKey(key, note), `${name}: ${note}`);
        assert.ok(at >= 0 && at < seconds, `${name}: at ${at}`);
      }
      assert.equal(chords.at(-1)?.degree, 0);
      assert.ok((bass.at(-1)?.note ?? 0) % 12 === key.root, `${name}: the bass ends elsewhere`);
    }
  }
});

test('the sound has its energy at the notes of the key', () => {
  for (const prompt of ['sad', 'electronic']) {
    const { key } = compose({ prompt, seconds: 3, seed: 3 });
    const power = spectrum(renderMusic({ prompt, seconds: 3, seed: 3 }).left, 16_384);
    assert.ok(inKeyShare(power, key) > 0.8, `${prompt}: ${inKeyShare(power, key)}`);
  }
});

/** Between the A of 110 Hz and that of 880 Hz, where the notes' own tones lie apart. */
function inKeyShare(power: Float64Array, key: Key): number {
  let inside = 0;
  let all = 0;
  for (let note = 45; note <= 81; note += 1) {
    const binHz = 24_000 / power.length;
    const at = Math.round(toHz(note) / binHz);
    const here = Math.max(power[at - 1] ?? 0, power[at] ?? 0, power[at + 1] ?? 0);
    all += here;
    if (isInKey(key, note)) inside += here;
  }
  return inside / all;
}

test('it fades at its end and differs with the seed', () => {
  const { left } = renderMusic({ prompt: 'epic', seconds: 4, seed: 1 });
  assert.ok(rms(left.subarray(-2400)) < rms(left) * 0.1);
  assert.notDeepEqual(renderMusic({ prompt: 'epic', seconds: 4, seed: 2 }).left, left);
  const keys = new Set(
    Array.from({ length: 12 }, (_, seed) => compose({ prompt: '', seconds: 5, seed }).key.root),
  );
  assert.ok(keys.size > 4);
});
