/** Loaded into a server before anything else: its clock is ahead by so many milliseconds. */
const aheadMs = Number(process.env['CLOCK_AHEAD_MS']);
const { now } = Date;
Date.now = () => now() + aheadMs;
