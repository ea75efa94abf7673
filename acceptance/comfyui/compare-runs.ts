import { hash } from 'node:crypto';
import { inspect, isDeepStrictEqual } from 'node:util';

import type { Message } from '../support/sockets.ts';
import { comparableRefusals, type Refusal } from './compare-refusals.ts';
import { contentOf, pngTexts } from './file-content.ts';
import { binaryFrames, messagesAbout } from './read-frames.ts';
import type { HistoryEntry, Recording } from './record-run.ts';

/**
 * How often progress is sent depends on time, and Atelier thins previews: for these, `compareProgress` compares what must hold. All
 * other messages are compared one by one.
 */
const BY_TIME = new Set(['progress', 'progress_state', 'status']);
const OWN_FOLDER = /atelier\/[0-9a-f-]{36}/g;
/** What a worker changes in a graph: names of files, and an input of its own. Metadata has them, and hashes or times of files. */
const OWN_NAMES = new RegExp(
  [
    /, "atelier_attempt": "[^"]*"/,
    /atelier\/[0-9a-f-]{36}\/(?:(?:input|output|temp)\/)?/,
    / \[(?:input|output|temp)\](?=")/,
    /, "is_changed": \[[^\]]*\]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);
/** Temporary files have a random part in their names. */
const TEMPORARY = /_temp_[a-z]{5}_/g;

interface Options {
  /** Output nodes run again through Atelier though ComfyUI would show the file of an earlier run. */
  readonly isRepeated: boolean;
  /** Where the sides stop is a matter of time. */
  readonly isCancelled: boolean;
  readonly answersOtherwise: boolean;
}

/** What a user would notice; empty when there is nothing. */
export function compareRuns(direct: Recording, through: Recording, options: Options): string[] {
  const found: string[] = [];
  const same = (what: string, a: unknown, b: unknown): void => {
    if (isDeepStrictEqual(a, b)) return;
    const show = (value: unknown) => inspect(value, { depth: 8, breakLength: 160, maxStringLength: 600 });
    found.push(`${what}\n  ComfyUI: ${show(a)}\n  Atelier: ${show(b)}`);
  };
  same('status of the answer', direct.answer.status, through.answer.status);
  if (direct.answer.status !== 200 || through.answer.status !== 200) {
    if (!options.answersOtherwise)
      same('answer', ...comparableRefusals(direct.answer.body as Refusal, through.answer.body as Refusal));
    return found;
  }
  same('node_errors', ...comparableRefusals(direct.answer.body as Refusal, through.answer.body as Refusal));
  same('messages', story(direct, options), story(through, options));
  same('history', history(direct.entry, options), history(through.entry, options));
  compareProgress(direct, through, same, options);
  if (options.isCancelled) return found;
  const [a, b] = [filesByName(direct), filesByName(through)];
  if (!options.isRepeated)
    same(
      'names of files',
      a.map(([name]) => name),
      b.map(([name]) => name),
    );
  for (const [index, [name, one]] of a.entries()) {
    const other = b[index]?.[1] ?? Buffer.of();
    if (!contentOf(one).equals(contentOf(other)))
      found.push(`${name} has other content (${one.length} and ${other.length} bytes)`);
    same(`metadata of ${name}`, metadata(one), metadata(other));
  }
  return found;
}

/** The messages that do not depend on time, in order. */
function story({ frames, promptId }: Recording, { isRepeated, isCancelled }: Options): unknown[] {
  const told = messagesAbout(frames, promptId).filter(({ type }) => !BY_TIME.has(type));
  if (isRepeated) return told.map(({ type }) => type).filter((type) => type.startsWith('execution_'));
  return told.map(({ type, data }) => [type, cleanMessage(data, isCancelled)]);
}

function cleanMessage(data: Message['data'], isCancelled: boolean): unknown {
  const { prompt_id: _id, timestamp: _time, traceback, nodes, executed, ...rest } = data;
  return {
    ...(cleaned(rest) as object),
    ...(Array.isArray(nodes) && { nodes: nodes.toSorted() }),
    // A set in ComfyUI.
    ...(Array.isArray(executed) && !isCancelled && { executed: executed.toSorted() }),
    ...(Array.isArray(traceback) && { traceback: cleaned(traceback) }),
  };
}

function history(entry: HistoryEntry | undefined, { isRepeated }: Options): unknown {
  if (!entry) return undefined;
  const { outputs, status, meta } = entry;
  const { status_str, completed } = status;
  if (isRepeated) return { nodes: Object.keys(outputs).toSorted(), status_str, completed };
  return { outputs: cleaned(outputs), status_str, completed, meta };
}

function cleaned(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(TEMPORARY, '_temp_*_')
    .replaceAll(OWN_FOLDER, '<own folder>')
    // Where Python keeps an object.
    .replaceAll(/ at 0x[0-9a-f]+/g, '');
  return JSON.parse(text) as unknown;
}

function filesByName({ files }: Recording): [name: string, Buffer][] {
  return [...files].map(([name, bytes]) => [name.replaceAll(TEMPORARY, '_temp_*_'), bytes]);
}

function metadata(file: Buffer): unknown {
  return [...pngTexts(file)].map(([name, text]) => [name, text.replaceAll(OWN_NAMES, '')]);
}

type Same = (what: string, a: unknown, b: unknown) => void;

/** Each node that reports steps reports the same last one; previews come if they come directly, and not more of them. */
function compareProgress(direct: Recording, through: Recording, same: Same, options: Options): void {
  const [a, b] = [direct, through].map((run) => steps(run, 'progress'));
  const [states, otherStates] = [direct, through].map(lastStates);
  if (!options.isCancelled && !options.isRepeated) {
    same('last steps', a, b);
    same('last states', states, otherStates);
  }
  const [texts, otherTexts] = [direct, through].map(({ frames }) =>
    binaryFrames(frames).filter(({ kind }) => kind === 'text'),
  );
  same('texts', texts, otherTexts);
  const [sent, otherSent] = [direct, through].map(sentPictures);
  same('pictures sent as frames', sent, otherSent);
  const [pictures, otherPictures] = [direct, through].map(pictureCounts);
  const nodes = (counts: Readonly<Record<string, number>> = {}) => Object.keys(counts).toSorted();
  same('nodes with previews', nodes(pictures), nodes(otherPictures));
  for (const [node, count] of Object.entries(otherPictures ?? {}))
    if (count > (pictures?.[node] ?? 0) && !options.isCancelled)
      same(`previews of ${node}`, pictures?.[node], count);
}

function steps({ frames, promptId }: Recording, type: string): unknown {
  const last = new Map<unknown, unknown>();
  for (const { data } of messagesAbout(frames, promptId).filter((message) => message.type === type))
    last.set(data['node'], [data['value'], data['max']]);
  return Object.fromEntries(last as Map<string, unknown>);
}

function lastStates({ frames, promptId }: Recording): unknown {
  const last = messagesAbout(frames, promptId).findLast(({ type }) => type === 'progress_state');
  const nodes = (last?.data['nodes'] ?? {}) as Record<string, { state: string; value: number; max: number }>;
  return Object.fromEntries(
    Object.entries(nodes).map(([id, { state, value, max }]) => [id, [state, value, max]]),
  );
}

function pictureCounts({ frames }: Recording): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const frame of binaryFrames(frames))
    if (frame.kind === 'picture') counts[frame.node] = (counts[frame.node] ?? 0) + 1;
  return counts;
}

/** Results that are sent instead of saved are PNGs; previews are not. */
function sentPictures({ frames }: Recording): string[] {
  return binaryFrames(frames)
    .filter((frame) => frame.kind === 'picture')
    .filter(({ bytes }) => bytes[0] === 0x89)
    .map(({ bytes }) => hash('sha256', contentOf(bytes)));
}
