import type { CreateName, PriceName, VendorName } from '@atelier/contracts';
import type { Static, TSchema } from 'typebox';

import type { TaskRequest } from '../requests/task-request.ts';
import type { TaskLinks } from '../task-links.ts';
import type { Task, TaskFile } from '../tasks.repo.ts';
import type { TaskDialect } from './http-adapter.ts';
import type { LocalRenderer } from './local-adapter.ts';

export type Prices = Readonly<Record<PriceName, number>>;

export interface ReadOptions {
  readonly prices: Prices;
  readonly acceptAliases: boolean;
}

/** A route that creates tasks; its path and kind are in the table of vendors. */
export interface CreateRoute {
  readonly summary: string;
  readonly description: string;
  readonly body: TSchema;
  /** Takes a body that fits the schema. Throws `request.invalid` for what a schema cannot express. */
  readonly read: (body: unknown, options: ReadOptions) => TaskRequest;
}

export type ToAnswer = (task: Task, files: readonly TaskFile[], links: TaskLinks) => Promise<object>;

interface Answer {
  readonly schema: TSchema;
  readonly toAnswer: ToAnswer;
}

/** The code behind one row of the table of vendors. */
export interface VendorDefinition<Name extends VendorName = VendorName> {
  readonly creates: Readonly<Record<CreateName<Name>, CreateRoute>>;
  readonly webhookField: string;
  readonly created: Answer;
  readonly read: Answer;
  readonly toMessage: ToAnswer;
  readonly models?: readonly string[];
  readonly http: TaskDialect;
  readonly local: LocalRenderer;
}

/** Gives `read` the type of the schema. */
export function createRoute<Body extends TSchema>(route: {
  readonly summary: string;
  readonly description?: string;
  readonly body: Body;
  readonly read: (body: Static<Body>, options: ReadOptions) => TaskRequest;
}): CreateRoute {
  return { description: '', ...route, read: (body, options) => route.read(body as Static<Body>, options) };
}
