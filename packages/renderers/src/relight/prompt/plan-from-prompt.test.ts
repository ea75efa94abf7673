import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LightPlan } from '../light-plan.ts';
import { planFromPrompt } from './plan-from-prompt.ts';

function plan(prompt: string): LightPlan {
  const made = planFromPrompt(prompt);
  assert.ok(made !== undefined, prompt);
  return made;
}

function keyOf(prompt: string): LightPlan['lights'][number] {
  const [key] = plan(prompt).lights;
  assert.ok(key !== undefined);
  return key;
}

describe('planFromPrompt', () => {
  it('has no plan for unknown words', () => {
    assert.equal(planFromPrompt('a zebra, juggling'), undefined);
    assert.equal(planFromPrompt(''), undefined);
  });

  it('puts the light where the words say', () => {
    assert.ok(keyOf('from the left').from[0] < -0.5);
    assert.ok(keyOf('from the right').from[0] > 0.5);
    assert.ok(keyOf('top light').from[1] < -0.7);
    assert.ok(keyOf('from below').from[1] > 0.7);
    assert.ok(keyOf('backlit').from[2] < -0.4);
    const corner = keyOf('light from above from the left').from;
    assert.ok(corner[0] < -0.3 && corner[1] < -0.3);
  });

  it('lets stated directions win over those of a time or a place', () => {
    assert.ok(keyOf('sunset, light from the right').from[0] > 0.5);
    assert.ok(Math.abs(keyOf('sunset on a beach').from[1]) < 0.5, 'the sun is low at sunset');
  });

  it('gives every light the color of its clause', () => {
    const { lights } = plan('red light from the left and blue light from the right');
    assert.equal(lights.length, 2);
    const [left, right] = lights;
    assert.ok(left !== undefined && right !== undefined);
    assert.ok(left.from[0] < 0 && left.color[0] > left.color[2]);
    assert.ok(right.from[0] > 0 && right.color[2] > right.color[0]);
  });

  it('lights the two sides with two colors that have no direction', () => {
    const { lights } = plan('pink and blue neon lights');
    assert.deepEqual(
      lights.map((light) => Math.sign(light.from[0])),
      [-1, 1],
    );
    assert.ok((lights[1]?.color[2] ?? 0) > (lights[1]?.color[0] ?? 9));
  });

  it('is warm or cold, dark or bright, hard or soft', () => {
    assert.ok(keyOf('warm').color[0] > keyOf('warm').color[2] * 1.5);
    assert.ok(keyOf('cold').color[2] > keyOf('cold').color[0] * 1.2);
    assert.ok(plan('night').exposure < -1 && plan('high key').exposure > 0.4);
    assert.ok(plan('soft light').softness > 0.7 && plan('hard light').softness < 0.2);
    assert.ok(plan('dramatic').ambient[1] < plan('flat light').ambient[1] / 2);
    assert.ok(plan('foggy').haze > 0.4 && plan('volumetric light').rays > 0.8);
  });

  it('has a stronger effect with a weight', () => {
    assert.ok(plan('(night:1.4)').exposure < plan('(night:1.2)').exposure);
    assert.ok(plan('(night:1.2)').exposure < plan('night').exposure);
    const [weighed, plain] = [keyOf('(blue light:1.4)').color, keyOf('blue light').color];
    assert.ok(weighed[2] / weighed[0] > plain[2] / plain[0]);
  });

  it('does not count two words for the same thing twice', () => {
    assert.ok(plan('night, midnight').exposure > 1.6 * plan('night').exposure);
  });

  it('uses the background of the first place or time of day that is named', () => {
    const sunset = plan('beach at sunset, forest').backdrop;
    assert.deepEqual(sunset?.sky, plan('beach').backdrop?.sky);
    assert.equal(plan('light from the left').backdrop, undefined);
    assert.ok((plan('neon').backdrop?.lamps.length ?? 0) > 1);
  });
});
