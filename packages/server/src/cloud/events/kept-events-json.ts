import { parseJson, toJson } from '@atelier/engine';

import type { KeptEvent } from './live-jobs.ts';

/**
 * JSON with one event per line. A JSON text has line breaks only between values, so the few events that a history shows are found
 * among the 20 000 of a large graph without parsing all of them.
 */
export function keptEventsJson(events: readonly KeptEvent[]): string {
  return `[\n${events.map(({ id, type, data }) => toJson({ id, type, data })).join(',\n')}\n]`;
}

const HISTORY_TYPE = '","type":"execution_';
const BEFORE_TYPE = /^\{"id":"[^"]*$/;
const EVENT = /^\{"id":"[^"]*","type":("[^"]*"),"data":(.*)\},?$/;

/** The messages of a history entry (start, cached nodes, end) as a JSON list of `[type, data]`. */
export function historyMessagesJson(text: string): string {
  // Rows written by older versions have a single line.
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
