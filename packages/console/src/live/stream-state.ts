import { createExternalValue } from './external-value.ts';

const open = createExternalValue(false);

/** Whether events of all jobs come in. While they do not, lists are asked for from time to time. */
export const isStreamOpen = open.get;
export const setStreamOpen = open.set;
export const useIsStreamOpen = open.use;
