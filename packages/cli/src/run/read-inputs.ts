import { stat } from 'node:fs/promises';
import { file, type Workflow, type WorkflowValue } from '@atelier/sdk';

import { CliError } from '../exit-codes.ts';

/** `node.input=value`; the value may contain equal signs. */
function split(text: string, option: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1)
    throw new CliError(`${option} ${text} is not NAME=VALUE.`, {
      advice: `Such as: ${option} KSampler.seed=7`,
    });
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Applies `--set`. A text input stays text; for others, numbers, true, false, lists and objects are parsed as JSON. */
export function setValues(workflow: Workflow, given: readonly string[]): void {
  for (const text of given) {
    const [name, value] = split(text, '--set');
    workflow.set(name, typeof workflow.get(name) === 'string' ? value : parseValue(value));
  }
}

function parseValue(text: string): WorkflowValue {
  // More digits than a number can hold, such as a seed.
  if (/^-?\d{16,}$/.test(text)) return BigInt(text);
  try {
    return JSON.parse(text) as WorkflowValue;
  } catch {
    return text;
  }
}

/** Applies `--input` with local files: `3.image=photo.jpg`, or `image=photo.jpg` if only one node has that input. */
export async function setFiles(workflow: Workflow, given: readonly string[]): Promise<void> {
  for (const text of given) {
    const [name, path] = split(text, '--input');
    if (path === '') throw new CliError(`--input ${text} names no file.`);
    const info = await stat(path).catch(() => undefined);
    if (!info?.isFile()) throw new CliError(`There is no file ${path}.`);
    const place = placeOf(workflow, name);
    if (Array.isArray(workflow.get(place)))
      throw new CliError(`${place} comes from another node, so it takes no file.`, {
        advice: 'Name the input of the node that loads it.',
      });
    workflow.set(place, file(path));
  }
}

function placeOf(workflow: Workflow, name: string): string {
  if (name.includes('.')) return name;
  const places = workflow.nodes
    .map(({ id }) => `${id}.${name}`)
    .filter((place) => {
      try {
        // A link cannot be replaced by a file.
        return typeof workflow.get(place) === 'string';
      } catch {
        return false;
      }
    });
  if (places.length === 1 && places[0] !== undefined) return places[0];
  if (places.length === 0)
    throw new CliError(`No node has a file as ${name}.`, {
      advice: 'Name the node too: --input 3.image=photo.jpg',
    });
  throw new CliError(`Several nodes have ${name}: ${places.join(', ')}.`, { advice: 'Name one of them.' });
}
