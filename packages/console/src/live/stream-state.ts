import { createExternalValue } from './external-value.ts';

const open = createExternalValue(false);

/** Whether the stream of all jobs is open. While it is not, lists are polled. */
export const isStreamOpen = open.get;
export const setStreamOpen = open.set;
export const useIsStreamOpen = open.use;
