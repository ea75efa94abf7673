import type { NodeProblems } from '@atelier/sdk';

import { isObject } from './json.ts';
import type { Widget, WorkflowNode } from './workflow-nodes.ts';

/** Why a node cannot run, or failed. */
export interface Problem {
  readonly nodeId: string;
  /** The input concerned, if there is one. */
  readonly input: string | undefined;
  readonly kind: 'missing-type' | 'missing-model' | 'refused' | 'failed';
  /** The server's message, or the name of what is missing. */
  readonly text: string;
}

/** What is missing on this server, checked before submitting: node types, and files such as models. */
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

/** A file name that is not among the choices. Uploaded files are not listed as choices. */
function isMissingModel({ input, value, isLinked }: Widget): boolean {
  if (isLinked || input.kind !== 'combo' || !Array.isArray(input.choices)) return false;
  return typeof value === 'string' && FILE_NAME.test(value) && !input.choices.includes(value);
}

/** The problems that the server reported, by node and input. */
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
