import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, pitches, rms, share, spectrum } from '../test/measure.ts';
import { soundsOfWord } from './letter-to-sound.ts';
import { numberWords } from './number-words.ts';
import { planSpeech } from './plan-speech.ts';
import { readAloud } from './read-aloud.ts';
import { renderSpeech } from './render-speech.ts';
import { findSpokenText } from './spoken-text.ts';
import { transliterate } from './transliterate.ts';

const spell = (word: string) =>
  soundsOfWord(word)
    .map(({ name, stressed }) => name + (stressed ? '1' : ''))
    .join(' ');

test('letters become sounds, with the stress where English has it', () => {
  assert.equal(spell('strange'), 'S T R EY1 N D ZH');
  assert.equal(spell('computer'), 'K AX M P Y UW1 T ER');
  assert.equal(spell('jumped'), 'D ZH AH1 M P T');
  assert.equal(spell('nation'), 'N EY1 SH AX N');
  assert.equal(spell('night'), 'N AY1 T');
  assert.equal(spell('walking'), 'W AO1 K IH NG');
  assert.equal(spell('cats'), 'K AE1 T S');
  assert.equal(spell('trees'), 'T R IY1 Z');
  assert.equal(spell('water'), 'W AO1 T ER');
});

test('numbers are read as words', () => {
  assert.equal(numberWords('42').join(' '), 'forty two');
  assert.equal(numberWords('1999').join(' '), 'nineteen ninety nine');
  assert.equal(numberWords('3.14').join(' '), 'three point one four');
  assert.equal(numberWords('2500000').join(' '), 'two million five hundred thousand');
});

test('other scripts are spelt by their sounds', () => {
  assert.equal(transliterate('привет'), 'privyet');
  assert.equal(transliterate('サクラ'), 'sakura');
  assert.equal(transliterate('한글'), 'hangul');
  assert.match(transliterate('你好'), /^[a-z]{4,6}$/);
});

test('what stands in quotes is said, otherwise the prompt', () => {
  const said = (prompt: string) => findSpokenText(prompt).text;
  assert.equal(said('A man says "Hello there!" and leaves'), 'Hello there!');
  assert.equal(said('Eine Frau sagt: „Guten Tag“'), 'Guten Tag');
  assert.equal(said('Elle dit « Bonjour »'), 'Bonjour');
  assert.equal(said("She says 'It's me' softly"), "It's me");
  assert.equal(said('“One.” Then “Two.”'), 'One.. Two.');
  assert.equal(said("the dog's ball isn't red"), "the dog's ball isn't red");
  assert.equal(said('(golden hour:1.3) 🌅 sea'), 'golden hour sea');
});

test('speech fits: a quote is hurried, a prompt stops at a finished word', () => {
  const words = readAloud('one two three four five six seven eight nine ten eleven twelve and the');
  for (const seconds of [0.8, 1.5, 3, 9]) {
    for (const whole of [true, false]) {
      const plan = planSpeech(words, { seconds, pace: 1, whole });
      assert.ok(plan.seconds <= seconds + 0.01, `${plan.seconds} in ${seconds}`);
      assert.ok(plan.phrases.length > 0);
    }
  }
  const count = (whole: boolean) =>
    planSpeech(words, { seconds: 2.6, pace: 1, whole }).phrases.flatMap(({ phones }) => phones).length;
  assert.ok(count(true) > count(false));
});

test('vowels have the formants of their names', () => {
  const say = (text: string) =>
    spectrum(renderSpeech({ prompt: `"${text}"`, seconds: 1.6, seed: 1, voiceId: 'male' }), 2048);
  const [see, saw, too] = [say('we we we'), say('wall wall'), say('you who')];
  const front = (power: Float64Array) => share(power, 1900, 2700) / share(power, 700, 1200);
  assert.ok(front(see) > 3 * front(saw), `${front(see)} ${front(saw)}`);
  assert.ok(share(too, 500, 900) < share(saw, 500, 900));
});

test('an s hisses high, and the voice is silent before and after the words', () => {
  const sound = renderSpeech({ prompt: '"sassy"', seconds: 2, seed: 1, voiceId: 'male' });
  assert.ok(share(spectrum(sound), 4000, 12_000) > 0.02);
  assert.equal(rms(sound.subarray(0, 7000)), 0);
  assert.equal(rms(sound.subarray(-9000)), 0);
});

test('a question rises at its end, a statement falls', () => {
  const turn = (text: string) => {
    const found = pitches(
      renderSpeech({ prompt: `"${text}"`, seconds: 2, seed: 1, voiceId: 'male' }).map((value) => value * 0.3),
    );
    return median(found.slice(-4)) / median(found);
  };
  assert.ok(
    turn('are you all alone?') > 1.05 && turn('we are all alone.') < 0.95,
    `${turn('are you all alone?')} ${turn('we are all alone.')}`,
  );
});
