import { toExactJson } from '@atelier/sdk';

import { isObject, type Json } from './document/json.ts';
import { parseWorkflow } from './document/read-file.ts';

/** What this browser tab stores of an open workflow, so that a reload loses nothing. */
export interface StoredWorkflow {
  readonly name: string;
  /** The edited workflow; absent if nothing was changed. */
  readonly json: Json | undefined;
  /** Runs of this page, the newest first. */
  readonly jobIds: readonly string[];
}

const PREFIX = 'atelier.workflow.';
const MAX_STORED = 20;
const MAX_JOBS = 50;

export function readStored(key: string): StoredWorkflow | undefined {
  const text = sessionStorage.getItem(PREFIX + key);
  if (text === null) return undefined;
  try {
    const stored: unknown = JSON.parse(text);
    if (!isObject(stored)) return undefined;
    const { name, json, jobIds } = stored;
    return {
      name: String(name),
      json: typeof json === 'string' ? parseWorkflow(json) : undefined,
      jobIds: Array.isArray(jobIds) ? jobIds.filter((id) => typeof id === 'string') : [],
    };
  } catch {
    // Written by another version of the console.
    return undefined;
  }
}

export function store(key: string, { name, json, jobIds }: StoredWorkflow): void {
  const text = JSON.stringify({
    name,
    // Seeds have more digits than the browser's JSON keeps.
    json: json && toExactJson(json),
    jobIds: jobIds.slice(0, MAX_JOBS),
    at: Date.now(),
  });
  removeOldest(key);
  try {
    sessionStorage.setItem(PREFIX + key, text);
  } catch {
    // Session storage is small. Other workflows are removed first.
    for (const other of storedKeys()) if (other !== PREFIX + key) sessionStorage.removeItem(other);
    sessionStorage.setItem(PREFIX + key, text);
  }
}

/** Stores a dropped workflow that is not saved anywhere. Returns its id for the address. */
export function storeDraft(name: string, json: Json): string {
  // Starts with a letter, so that the router does not parse it as a number.
  const id = `d${Math.random().toString(36).slice(2, 10)}`;
  store(`draft ${id}`, { name, json, jobIds: [] });
  return id;
}

/** Workflows to run as soon as they are open. In memory only, so that a reload does not run them again. */
const pendingRuns = new Set<string>();

export function runWhenOpened(key: string): void {
  pendingRuns.add(key);
}

/** Whether it should run now. True only once. */
export function takePendingRun(key: string): boolean {
  return pendingRuns.delete(key);
}

function storedKeys(): string[] {
  return Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
}

function removeOldest(key: string): void {
  const others = storedKeys().filter((other) => other !== PREFIX + key);
  if (others.length < MAX_STORED) return;
  const timeOf = (other: string) => /"at":(\d+)\}$/.exec(sessionStorage.getItem(other) ?? '')?.[1] ?? '0';
  const [oldest] = others.toSorted((one, other) => Number(timeOf(one)) - Number(timeOf(other)));
  if (oldest !== undefined) sessionStorage.removeItem(oldest);
}
