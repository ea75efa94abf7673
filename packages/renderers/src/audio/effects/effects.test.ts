import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loudness } from '../dsp/loudness.ts';
import { peak, rms, share, spectrum } from '../test/measure.ts';
import { chooseEffects, EFFECTS } from './choose-effects.ts';
import { renderEffects } from './render-effects.ts';

const namesOf = (prompt: string) => chooseEffects(prompt).map(({ name }) => name);
const render = (prompt: string, seconds = 2, seed = 1) => renderEffects({ prompt, seconds, seed });

test('the words of the prompt choose the effects, in their order', () => {
  assert.deepEqual(namesOf('a campfire in the rain'), ['fire', 'rain']);
  assert.deepEqual(namesOf('thunder'), ['thunder']);
  assert.deepEqual(namesOf('das meer bei nacht'), ['sea', 'crickets']);
  assert.deepEqual(namesOf('雨'), ['rain']);
  assert.deepEqual(namesOf('exploring an abstract surface'), ['room']);
  assert.equal(namesOf('rain wind fire river bells crowd city').length, 4);
});

test('each effect lies where it is heard in nature', () => {
  const above = (prompt: string, hz: number) => share(spectrum(render(prompt).left), hz, 24_000);
  assert.ok(above('rain', 2000) > 0.6);
  assert.ok(above('thunder', 500) < 0.2);
  assert.ok(above('bird song', 1800) > 0.8);
  assert.ok(share(spectrum(render('crickets').left), 3500, 5800) > 0.6);
  assert.ok(above('heartbeat', 300) < 0.1);
  assert.ok(above('underwater', 1500) < 0.1);
});

test('every effect sounds from its first second, on both sides, and varies with the seed', () => {
  for (const { name } of EFFECTS) {
    const prompt = WORD_OF[name] ?? name;
    assert.ok(namesOf(prompt).includes(name), `${prompt} does not call for ${name}`);
    const sound = render(prompt, 0.8);
    assert.ok(rms(sound.left) > 0.003 && rms(sound.right) > 0.003, name);
    assert.ok(sound.left.every(Number.isFinite), name);
    assert.ok(peak(sound.left) < 8, `${name}: ${peak(sound.left)}`);
    assert.notDeepEqual(render(prompt, 0.3, 2).left, render(prompt, 0.3).left, name);
  }
});

const WORD_OF: Readonly<Record<string, string>> = {
  animals: 'dog',
  lapping: 'lake',
  drips: 'cave',
  hooves: 'gallop',
  buzzing: 'bees',
  aircraft: 'helicopter',
  traffic: 'city',
  electronics: 'robot',
  sparkle: 'magic',
  whoosh: 'sword',
};

test('a prompt that names nothing gets a discreet room', () => {
  assert.ok(loudness(render('abstract shapes')) < loudness(render('rain')) - 8);
});
