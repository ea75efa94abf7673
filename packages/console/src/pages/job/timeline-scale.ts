import type { JobTimeline } from '@atelier/sdk';

/** A long wait would leave no room for the run, so the axis is broken then. */
const MAX_WAITING_PERCENT = 20;
const MAX_TICKS = 6;
const STEPS = [1, 2, 5, 10];

export interface TimelineScale {
  /** The share of the width for the waiting time. */
  readonly waitingPercent: number;
  /** The waiting time is longer than drawn. */
  readonly isBroken: boolean;
  /** The position of a moment, in ms after the start. */
  readonly percentAt: (ms: number) => number;
  /** The ticks, in ms after the start. */
  readonly ticks: readonly number[];
}

/** One axis for the waiting time and all nodes. */
export function timelineScale(waitingMs: number, runningMs: number): TimelineScale {
  const running = Math.max(1, runningMs);
  const honest = (waitingMs / (waitingMs + running)) * 100;
  const waitingPercent = Math.min(MAX_WAITING_PERCENT, honest);
  const step = tickStep(running);
  return {
    waitingPercent,
    isBroken: honest > MAX_WAITING_PERCENT,
    percentAt: (ms) => waitingPercent + (Math.min(ms, running) / running) * (100 - waitingPercent),
    ticks: Array.from({ length: Math.floor(running / step) + 1 }, (_, index) => index * step),
  };
}

/** 1, 2 or 5 times a power of ten. */
function tickStep(ms: number): number {
  const power = 10 ** Math.floor(Math.log10(ms / MAX_TICKS));
  const factor = STEPS.find((each) => ms / (each * power) <= MAX_TICKS) ?? 10;
  return Math.max(1, factor * power);
}

/** When a node ended, or the time until which it is known to be running. */
export function nodeEnd(
  { ended_ms: ended, state }: JobTimeline['nodes'][number],
  runningMs: number,
): number | undefined {
  return state === 'cached' ? undefined : (ended ?? runningMs);
}
