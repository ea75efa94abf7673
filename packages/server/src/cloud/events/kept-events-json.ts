import { parseJson, toJson } from '@atelier/engine';

import type { KeptEvent } from './live-jobs.ts';

/**
 * One event a line. JSON allows a line break between values and never within one, so the few events that a history shows are
 * found among the 20 000 of a large graph without parsing them all.
 */
export function keptEventsJson(events: readonly KeptEvent[]): string {
  return `[\n${events.map(({ id, type, data }) => toJson({ id, type, data })).join(',\n')}\n]`;
}

const HISTORY_TYPE = '","type":"execution_';
const BEFORE_TYPE = /^\{"id":"[^"]*$/;
const EVENT = /^\{"id":"[^"]*","type":("[^"]*"),"data":(.*)\},?$/;

/** The messages of a history (how a job began and ended, and what was cached) as a JSON list of `[type, data]`. */
export function historyMessagesJson(text: string): string {
  // Rows of older versions have one line.
  const lines = text.startsWith('[\n') ? text : keptEventsJson(parseJson(text) as readonly KeptEvent[]);
  const messages: string[] = [];
  for (let at = lines.indexOf(HISTORY_TYPE); at !== -1; at = lines.indexOf(HISTORY_TYPE, at + 1)) {
    const start = lines.lastIndexOf('\n', at) + 1;
    // The output of a node may look like an event.
    if (!BEFORE_TYPE.test(lines.slice(start, at))) continue;
    const [, type, data] = EVENT.exec(lines.slice(start, lines.indexOf('\n', at))) ?? [];
    messages.push(`[${type},${data}]`);
  }
  return `[${messages.join(',')}]`;
}
