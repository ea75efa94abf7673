import { hash } from 'node:crypto';
import type { NodeCatalogue } from '../catalogue.ts';
import { nestInputs } from '../declare/flat-inputs.ts';
import type { CheckContext, NodeType } from '../declare/node-type.ts';
import type { DynamicGraph } from '../execute/dynamic-graph.ts';
import { untilAborted } from '../execute/until-aborted.ts';
import { dependenciesFirst, isLink } from '../graph.ts';
import { Interrupted } from '../node-error.ts';
import { PythonFloat, withoutForms } from '../python/python-number.ts';

export interface SignatureParts {
  readonly graph: DynamicGraph;
  readonly catalogue: NodeCatalogue<NodeType>;
  /** Results are never shared between two scopes. */
  readonly scope: string;
  readonly files: CheckContext['files'];
  readonly signal: AbortSignal;
}

/**
 * A hash of everything that the result of a node depends on: its type, fingerprint and constants, and the signatures of the nodes
 * that it links to. Ids, titles and positions do not count, so the unchanged part of an edited graph is found.
 */
export function createSignatures({ graph, catalogue, scope, files, signal }: SignatureParts) {
  const known = new Map<string, string>();
  let unequal = 0;

  /** The node and its dependencies without a signature, dependencies first. */
  function unsigned(root: string): string[] {
    const order = dependenciesFirst(root, (id) =>
      graph.links(id).flatMap(({ from }) => (graph.has(from) && !known.has(from) ? [from] : [])),
    );
    return order.filter((id) => !known.has(id));
  }

  async function sign(id: string): Promise<string> {
    const node = graph.node(id);
    const type = catalogue.get(node.class_type);
    const placed =
      type !== undefined && (type.notIdempotent || Object.values(type.hidden).includes('UNIQUE_ID'));
    const inputs = Object.keys(node.inputs)
      .sort()
      .map((name) => {
        const value = node.inputs[name];
        // A link that cannot be followed makes a cycle; the execution list reports it.
        return isLink(value)
          ? [name, 'from', known.get(value[0]) ?? `?${value[0]}`, value[1]]
          : [name, 'is', distinct(value)];
      });
    const parts = [scope, node.class_type, distinct(await fingerprint(id)), placed ? id : '', inputs];
    return hash('sha256', JSON.stringify(parts), 'base64url');
  }

  /** JSON would write infinite numbers as null, and has nothing for large integers. */
  function distinct(value: unknown): unknown {
    if (typeof value === 'bigint') return { integer: String(value) };
    if (value instanceof PythonFloat) return { float: value.value };
    if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) };
    if (Array.isArray(value)) return value.map(distinct);
    if (typeof value === 'function') return newUnequal();
    if (typeof value !== 'object' || value === null) return value;
    // Expansions may have pictures and other values of nodes as constants. As in ComfyUI, they equal nothing.
    if (!isPlain(value)) return newUnequal();
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, distinct(item)]));
  }

  function newUnequal(): string {
    unequal += 1;
    return `${Date.now()}:${Math.random()}:${unequal}`;
  }

  async function fingerprint(id: string): Promise<unknown> {
    const node = graph.node(id);
    const type = catalogue.get(node.class_type);
    if (!type?.fingerprint) return false;
    const constants = Object.fromEntries(Object.entries(node.inputs).filter(([, value]) => !isLink(value)));
    const { values, types } = withoutForms(constants);
    try {
      const print = await untilAborted(
        Promise.resolve(type.fingerprint(nestInputs(type, values), { files, types })),
        signal,
      );
      if (!Number.isNaN(print)) return print;
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      // A fingerprint that fails equals nothing.
    }
    return newUnequal();
  }

  return async (id: string): Promise<string> => {
    for (const at of unsigned(id)) known.set(at, await sign(at));
    return known.get(id) ?? (await sign(id));
  };
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
