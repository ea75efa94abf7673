import { ConnectionError } from '../errors.ts';

/** One of the Server-Sent Events, as the HTML standard reads them. */
export interface ServerSentEvent {
  readonly type: string;
  readonly data: string;
  readonly id: string | undefined;
}

/** Larger than any event: pictures of a node have up to 64 MiB, and a third more as base64. */
const MAX_CHARACTERS = 100 * 1024 * 1024;

/** Takes the text of a stream in chunks and returns the events that are complete. */
export function createEventParser() {
  let rest = '';
  let scanned = 0;
  let isFirst = true;
  let type = '';
  let id: string | undefined;
  let data: string[] = [];

  function readLine(line: string): ServerSentEvent | undefined {
    if (line === '') {
      const event = data.length > 0 ? { type: type || 'message', data: data.join('\n'), id } : undefined;
      type = '';
      id = undefined;
      data = [];
      return event;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (field === 'data') data.push(value);
    else if (field === 'event') type = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    return undefined;
  }

  return (text: string): ServerSentEvent[] => {
    rest += isFirst ? text.replace(/^\uFEFF/, '') : text;
    if (text !== '') isFirst = false;
    if (rest.length > MAX_CHARACTERS) throw new ConnectionError('An event of the server is too long.');
    const events: ServerSentEvent[] = [];
    const lineEnd = /\r\n|\n|\r/g;
    let start = 0;
    lineEnd.lastIndex = scanned;
    for (let found = lineEnd.exec(rest); found; found = lineEnd.exec(rest)) {
      // The second half of a line break may still arrive.
      if (found[0] === '\r' && found.index === rest.length - 1) break;
      const event = readLine(rest.slice(start, found.index));
      if (event) events.push(event);
      start = lineEnd.lastIndex;
    }
    rest = rest.slice(start);
    scanned = Math.max(0, rest.length - 1);
    return events;
  };
}
