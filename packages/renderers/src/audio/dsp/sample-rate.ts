export const SAMPLE_RATE = 48_000;

/** The curves that move a sound are read once every so many samples; 1.3 ms is below what an ear can follow. */
export const CONTROL_STEP = 64;

export const toSamples = (seconds: number): number => Math.round(seconds * SAMPLE_RATE);
