import { toExactJson } from '@atelier/sdk';

import { isObject, type Json } from './document/json.ts';
import { parseWorkflow } from './document/read-file.ts';

/** What this tab of the browser keeps of a workflow that is open, so that a reload loses nothing. */
export interface KeptWorkflow {
  readonly name: string;
  /** As it is on the screen; absent when nothing was changed. */
  readonly json: Json | undefined;
  /** Runs of this page, the newest first. */
  readonly jobIds: readonly string[];
}

const PREFIX = 'atelier.workflow.';
const MAX_KEPT = 20;
const MAX_JOBS = 50;

export function readKept(key: string): KeptWorkflow | undefined {
  const text = sessionStorage.getItem(PREFIX + key);
  if (text === null) return undefined;
  try {
    const kept: unknown = JSON.parse(text);
    if (!isObject(kept)) return undefined;
    const { name, json, jobIds } = kept;
    return {
      name: String(name),
      json: typeof json === 'string' ? parseWorkflow(json) : undefined,
      jobIds: Array.isArray(jobIds) ? jobIds.filter((id) => typeof id === 'string') : [],
    };
  } catch {
    // Another version of the console has written it.
    return undefined;
  }
}

export function keep(key: string, { name, json, jobIds }: KeptWorkflow): void {
  const text = JSON.stringify({
    name,
    // Seeds have more digits than JSON of a browser keeps.
    json: json && toExactJson(json),
    jobIds: jobIds.slice(0, MAX_JOBS),
    at: Date.now(),
  });
  forgetOldest(key);
  try {
    sessionStorage.setItem(PREFIX + key, text);
  } catch {
    // There is little room in a browser. What was opened earlier goes first.
    for (const other of keptKeys()) if (other !== PREFIX + key) sessionStorage.removeItem(other);
    sessionStorage.setItem(PREFIX + key, text);
  }
}

/** A workflow that was dropped and belongs to nothing yet. Gives what the address names it by. */
export function keepDraft(name: string, json: Json): string {
  // A letter first, so that the address does not take it for a number.
  const id = `d${Math.random().toString(36).slice(2, 10)}`;
  keep(`draft ${id}`, { name, json, jobIds: [] });
  return id;
}

/** What is to run as soon as it is open. In memory only, so that a reload does not run it again. */
const toStart = new Set<string>();

export function startOnceOpen(key: string): void {
  toStart.add(key);
}

/** Whether it is to run now. True once. */
export function takeStart(key: string): boolean {
  return toStart.delete(key);
}

function keptKeys(): string[] {
  return Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
}

function forgetOldest(key: string): void {
  const others = keptKeys().filter((other) => other !== PREFIX + key);
  if (others.length < MAX_KEPT) return;
  const timeOf = (other: string) => /"at":(\d+)\}$/.exec(sessionStorage.getItem(other) ?? '')?.[1] ?? '0';
  const [oldest] = others.toSorted((one, other) => Number(timeOf(one)) - Number(timeOf(other)));
  if (oldest !== undefined) sessionStorage.removeItem(oldest);
}
