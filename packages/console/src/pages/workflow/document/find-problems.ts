import type { NodeProblems } from '@atelier/sdk';

import { isObject } from './json.ts';
import type { Widget, WorkflowNode } from './workflow-nodes.ts';

/** What keeps a node from running, or kept it. */
export interface Problem {
  readonly nodeId: string;
  /** The input it is about, where it is about one. */
  readonly input: string | undefined;
  readonly kind: 'missing-type' | 'missing-model' | 'refused' | 'failed';
  /** The server's sentence; for what is missing the name of it. */
  readonly text: string;
}

/** What is missing here, known before anything is sent: node types, and files such as models. */
export function findMissing(nodes: readonly WorkflowNode[]): Problem[] {
  return nodes
    .filter(({ mode }) => mode === 'run')
    .flatMap(({ id, type, kind, widgets }): Problem[] => {
      if (kind === 'missing') return [{ nodeId: id, input: undefined, kind: 'missing-type', text: type }];
      return widgets.filter(isMissingModel).map(({ name, value }) => ({
        nodeId: id,
        input: name,
        kind: 'missing-model',
        text: String(value),
      }));
    });
}

const FILE_NAME = /\.\w{2,12}$/;

/** A file name that the list of choices does not have. Files that people upload are not choices. */
function isMissingModel({ input, value, isLinked }: Widget): boolean {
  if (isLinked || input.kind !== 'combo' || !Array.isArray(input.choices)) return false;
  return typeof value === 'string' && FILE_NAME.test(value) && !input.choices.includes(value);
}

/** What the server has found, by node and input, in its own words. */
export function problemsOfRefusal(nodeErrors: Readonly<Record<string, NodeProblems>>): Problem[] {
  return Object.entries(nodeErrors).flatMap(([nodeId, { errors }]) =>
    errors.map(({ message, details, extra_info: info }): Problem => {
      const input = isObject(info) ? info['input_name'] : undefined;
      return {
        nodeId,
        input: typeof input === 'string' ? input : undefined,
        kind: 'refused',
        text: details === '' ? message : `${message}: ${details}`,
      };
    }),
  );
}
