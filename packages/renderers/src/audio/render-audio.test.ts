import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AudioSettings } from '../render-request.ts';
import { type RenderedAudio, renderAudio } from './render-audio.ts';
import { longestBelow, median, peak, pitches, rms, share, spectrum, toDecibels } from './test/measure.ts';

const PROMPT = 'Heavy rain on a street, a man says "We are all here now, my friend."';

const render = (
  audio: AudioSettings | undefined,
  { prompt = PROMPT, seconds = 2.5, seed = 7, music = false } = {},
): RenderedAudio => renderAudio({ prompt, seconds, seed, audio, music });

function assertSound({ left, right }: RenderedAudio, seconds: number, what: string): void {
  for (const channel of [left, right]) {
    assert.equal(channel.length, Math.round(seconds * 48_000), what);
    assert.ok(channel.every(Number.isFinite), `${what}: not a number`);
    assert.ok(toDecibels(peak(channel)) <= -1, `${what}: peak ${toDecibels(peak(channel))} dBFS`);
    const offset = channel.reduce((sum, value) => sum + value, 0) / channel.length;
    assert.ok(Math.abs(offset) < 0.001, `${what}: offset ${offset}`);
    assert.ok(Math.abs(channel[0] ?? 1) < 0.001, `${what}: begins with a click`);
    assert.ok(Math.abs(channel.at(-1) ?? 1) < 0.001, `${what}: ends with a click`);
    assert.ok(longestBelow(channel, -72) <= 1, `${what}: silent for ${longestBelow(channel, -72)} s`);
  }
}

test('the same request gives the same samples, another seed gives others', () => {
  const one = render({ kind: 'all' }, { music: true, seconds: 1.5 });
  assert.deepEqual(render({ kind: 'all' }, { music: true, seconds: 1.5 }), one);
  const other = render({ kind: 'all' }, { music: true, seconds: 1.5, seed: 8 });
  assert.notDeepEqual(other.left, one.left);
  assert.equal(one.sampleRate, 48_000);
});

test('every kind is as long as asked, below -1 dBFS, without offset, clicks or silence', () => {
  for (const kind of ['all', 'speech_only', 'sound_effect_only'] as const) {
    assertSound(render({ kind }), 2.5, kind);
  }
  assertSound(render(undefined, { music: true }), 2.5, 'music');
  assertSound(render({ kind: 'all' }, { seconds: 1, music: true }), 1, 'one second');
  assertSound(render({ kind: 'all' }, { seconds: 16, music: true }), 16, 'sixteen seconds');
});

test('loud worlds are limited, not cut', () => {
  const sound = render({ kind: 'sound_effect_only' }, { prompt: 'massive thunder explosion', seconds: 3 });
  assertSound(sound, 3, 'thunder');
  assert.ok(toDecibels(peak(sound.left)) > -3, 'not loud enough to need a limiter');
  let flat = 0;
  for (const [n, value] of sound.left.entries()) {
    if (Math.abs(value) > 0.5 && value === sound.left[n - 1]) flat += 1;
  }
  assert.ok(flat < 5, `${flat} samples stand still`);
});

test('without audio and music there is silence', () => {
  const { left, right } = render(undefined, { seconds: 1 });
  assert.equal(peak(left) + peak(right), 0);
});

test('speech has a pitch and the harmonics of a voice, effects have none', () => {
  const speech = pitches(render({ kind: 'speech_only' }).left);
  assert.ok(speech.length > 12, `${speech.length} voiced frames`);
  assert.ok(speech.filter((hz) => hz > 75 && hz < 300).length > speech.length * 0.9);
  assert.equal(pitches(render({ kind: 'sound_effect_only' }).left).length, 0);
  assert.ok(pitches(render({ kind: 'all' }).left).length > 3);
});

test('speech stands above the effects', () => {
  const effects = rms(render({ kind: 'sound_effect_only' }).left);
  const both = render({ kind: 'all' });
  const speech = rms(render({ kind: 'speech_only' }).left.subarray(24_000, 72_000));
  assert.ok(speech > 1.4 * rms(both.left.subarray(-12_000)));
  assert.ok(rms(both.left.subarray(-12_000)) < effects);
});

test('the names of voices are heard in their pitch', () => {
  const pitchOf = (voiceId: string) =>
    median(pitches(render({ kind: 'speech_only', voiceId }, { seconds: 2 }).left));
  const [deep, male, female, child] = ['deep', 'male', 'female', 'child'].map(pitchOf) as [
    number,
    number,
    number,
    number,
  ];
  assert.ok(
    deep < male * 0.9 && male < female * 0.7 && female < child * 0.92,
    [deep, male, female, child].join(' '),
  );
  assert.ok(deep > 60 && child < 330);
  assert.notEqual(pitchOf('voice-a'), pitchOf('voice-b'));
});

test('music alone is full, and goes under speech', () => {
  const alone = render(undefined, { music: true, seconds: 3, prompt: 'happy' });
  assert.ok(toDecibels(rms(alone.left)) > -28);
  const power = spectrum(alone.left);
  assert.ok(share(power, 40, 5000) > 0.9);
});

test('any prompt makes sound', () => {
  const prompts = [
    '',
    '🌊🔥',
    'лес и река',
    '雨の夜、東京',
    'مرحبا بالعالم',
    '\u0000\u0007\u001b[31m',
    'a'.repeat(2000),
  ];
  const long = 'rain and thunder over the city, '.repeat(62);
  for (const prompt of [...prompts, long, '"', '""', "says ''", '(((:1.2))) 3.14 % 1999 -- ...', '\ud800']) {
    assertSound(
      render({ kind: 'all' }, { prompt, seconds: 0.5, music: true }),
      0.5,
      JSON.stringify(prompt.slice(0, 30)),
    );
  }
});
