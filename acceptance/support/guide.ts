import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { PATIENCE_MS } from '@atelier/testing';

/** A block of commands in a guide, and the JSON that is shown as its answer. */
interface Step {
  readonly commands: string;
  readonly shown: string | undefined;
}

/** Commands, and the answer when it stands directly below. */
const STEP = /^```sh\n(.*?)^```$(?:\n\n^```json\n(.*?)^```$)?/gms;
const MARK = '==== step';
/** What a guide starts in the background ends with it, also when a step fails. */
const END_JOBS = `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n`;

/** The commands of a guide in their order. What is about npm is for a terminal of its own. */
export function stepsOf(markdown: string): Step[] {
  return [...markdown.matchAll(STEP)]
    .map(([, commands = '', shown]) => ({ commands, shown }))
    .filter(({ commands }) => !commands.includes('npm '));
}

/** Runs all steps in one shell, as a reader would, and holds every answer to what the guide shows. */
export async function runGuide(steps: readonly Step[], { folder }: { folder: string }): Promise<void> {
  const script = steps.map(({ commands }) => `echo; echo '${MARK}'\n${commands}`).join('\n');
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `${END_JOBS}${script}`], {
    cwd: folder,
    env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, output);
  const [, ...answers] = output.split(`${MARK}\n`);
  for (const [index, { commands, shown }] of steps.entries()) {
    const answer = answers[index] ?? '';
    assert.doesNotMatch(answer, /"(?:route\.unknown|internal)"/, commands);
    if (shown === undefined) continue;
    const rest = jsonIn(answer);
    for (const expected of jsonIn(shown.replaceAll(/^ *…$/gm, '"…": "…"'))) {
      const at = rest.findIndex((actual) => isAsShown(actual, expected));
      assert.ok(at >= 0, `${commands}\nshould answer\n${shown}\nand answers\n${answer}`);
      rest.splice(0, at + 1);
    }
  }
}

/** All JSON objects and lists in a text, whatever stands between them. */
function jsonIn(text: string): unknown[] {
  const found: unknown[] = [];
  let at = 0;
  while (at < text.length) {
    const end = '{['.includes(text.charAt(at)) ? endOfJson(text, at) : undefined;
    if (end !== undefined) found.push(JSON.parse(text.slice(at, end)));
    at = end ?? at + 1;
  }
  return found;
}

function endOfJson(text: string, start: number): number | undefined {
  const tokens = /"(?:\\.|[^"\\])*"|[{}[\]]/g;
  tokens.lastIndex = start;
  let depth = 0;
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    if (token[0] === '{' || token[0] === '[') depth += 1;
    if (token[0] === '}' || token[0] === ']') depth -= 1;
    if (depth === 0) return tokens.lastIndex;
  }
  return undefined;
}

/** `…` stands for what was left out: a whole value, a part of a text, or further members. */
function isAsShown(actual: unknown, shown: unknown): boolean {
  if (shown === '…') return true;
  if (typeof shown === 'string') return typeof actual === 'string' && isTextAsShown(actual, shown);
  if (typeof shown !== 'object' || shown === null) return actual === shown;
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual) !== Array.isArray(shown))
    return false;
  const { '…': others, ...named } = shown as Record<string, unknown>;
  const members = actual as Record<string, unknown>;
  return (
    (others !== undefined || Object.keys(members).length === Object.keys(named).length) &&
    Object.entries(named).every(([name, value]) => name in members && isAsShown(members[name], value))
  );
}

/** Each time another: the beginning of an id before `…`, a time, a key, a token of which the end is hidden. */
const CHANGING = [
  /[0-9a-f]{4}[0-9a-f-]*(?=…)/g,
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/g,
  /(?<=^atelier_)\w+(?=…?$)/g,
  /^\w+(?=\*{3}$)/g,
];

function isTextAsShown(actual: string, shown: string): boolean {
  const parts = CHANGING.reduce((text, each) => text.replaceAll(each, '…'), shown).split('…');
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.*')}$`, 's').test(actual);
}
