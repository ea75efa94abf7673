import type { Budget } from './budget.ts';
import { type EditorNode, type ProxyWidget, SUBGRAPH_INPUTS } from './editor-graph.ts';
import type { Scope } from './lay-out.ts';
import type { Subgraph } from './subgraphs.ts';
import { isControlWord } from './widgets.ts';

type Values = ReadonlyMap<string, unknown>;

interface Promoted {
  readonly inputs: Map<string, unknown>;
  /** By the ids that lead to the node, joined by colons, and the widget's name. */
  readonly widgets: Map<string, Map<string, unknown>>;
}

/** Values that subgraph nodes have for widgets inside them. */
export function createPromotedValues(budget: Budget) {
  const known = new Map<Scope, Promoted>();
  const promotedIn = (inside: Scope): Promoted => {
    const found = known.get(inside) ?? readPromoted(inside, budget);
    known.set(inside, found);
    return found;
  };
  /** What the subgraph nodes around a node say of its widgets, the outermost last: it stands. */
  const saidOf = (scope: Scope, node: EditorNode): readonly Values[] => {
    const said: Values[] = [];
    let path = node.id;
    for (let at = scope; at.host; at = at.host.scope) {
      const values = promotedIn(at).widgets.get(path);
      if (values) said.push(values);
      path = `${at.host.node.id}:${path}`;
    }
    return said;
  };
  /** In place of the widget's own value. */
  const ofWidget = (scope: Scope, node: EditorNode, widget: string): unknown =>
    saidOf(scope, node)
      .findLast((values) => values.has(widget))
      ?.get(widget);
  return {
    ofWidget,
    ofNode: (scope: Scope, node: EditorNode): Values =>
      new Map(saidOf(scope, node).flatMap((values) => [...values])),
    /** Of an input that nothing is linked to. */
    ofInput(inside: Scope, name: string): unknown {
      const { host } = inside;
      if (!host) return undefined;
      return ofWidget(host.scope, host.node, name) ?? promotedIn(inside).inputs.get(name);
    },
  };
}

function readPromoted(inside: Scope, budget: Budget): Promoted {
  const promoted: Promoted = { inputs: new Map(), widgets: new Map() };
  const { host } = inside;
  if (!host) return promoted;
  const { values, proxies } = host.node;
  if (values.list && proxies.length > 0) {
    for (const [index, proxy] of proxies.entries()) {
      const value = values.list[index];
      // Null where the editor wrote the value to the inner node instead.
      if (value !== undefined && value !== null) setProxied(promoted, inside, { proxy, value, budget });
    }
  } else if (values.named) {
    for (const [name, value] of values.named) promoted.inputs.set(name, value);
  } else if (values.list) {
    setInOrder(promoted, host.subgraph, values.list);
  }
  return promoted;
}

/** One value for each input that leads to a widget; some files have those that say what is done with seeds, too. */
function setInOrder({ inputs }: Promoted, subgraph: Subgraph, list: readonly unknown[]): void {
  const names = subgraph.inputNames.filter((_, slot) => subgraph.firstWidget.has(slot));
  const hasControls = list.length > names.length;
  let at = 0;
  for (const name of names) {
    inputs.set(name, list[at++]);
    if (hasControls && isControlWord(list[at])) at++;
  }
}

function setProxied(
  promoted: Promoted,
  inside: Scope,
  { proxy, value, budget }: { readonly proxy: ProxyWidget; readonly value: unknown; readonly budget: Budget },
): void {
  if (proxy.node === '-1') {
    promoted.inputs.set(proxy.widget, value);
    return;
  }
  const { node, widget } = toInnermost(inside, proxy, budget);
  const widgets = promoted.widgets.get(node) ?? new Map<string, unknown>();
  promoted.widgets.set(node, widgets.set(widget, value));
  const input = inside.graph.byId.get(proxy.node)?.inputByName.get(proxy.widget);
  const link = input?.link === undefined ? undefined : inside.graph.links.get(input.link);
  if (link?.from !== SUBGRAPH_INPUTS) return;
  const name = inside.host?.subgraph.inputNames[link.fromSlot];
  if (name !== undefined) promoted.inputs.set(name, value);
}

/** A widget that a subgraph node shows of a subgraph node inside it, followed to where it is. */
function toInnermost(inside: Scope, proxy: ProxyWidget, budget: Budget): ProxyWidget {
  let at = proxy;
  for (let scope = scopeOf(inside, at.node); scope; scope = scopeOf(inside, at.node)) {
    budget.spend(at.widget.length + (scope.host?.node.proxies.length ?? 0));
    const next = stepInto(scope, at);
    if (!next) return at;
    at = { ...next, node: `${at.node}:${next.node}` };
  }
  return at;
}

/** The inside of the subgraph node that the ids lead to. */
function scopeOf(inside: Scope, path: string): Scope | undefined {
  let scope: Scope | undefined = inside;
  for (const id of path.split(':')) scope = scope?.inner.get(id);
  return scope;
}

function stepInto({ host, graph }: Scope, { widget, source }: ProxyWidget): ProxyWidget | undefined {
  if (!host || host.subgraph.slotOf.has(widget)) return undefined;
  if (source !== undefined && graph.byId.has(source)) return { node: source, widget, source: undefined };
  // Once the widget was named after the node it is of: `5: seed`.
  const [, node, rest] = /^\s*(-?\w+)\s*:\s*(.+)$/s.exec(widget) ?? [];
  if (node !== undefined && rest !== undefined && graph.byId.has(node)) {
    return { node, widget: rest, source: undefined };
  }
  return host.node.proxies.find((proxy) => proxy.widget === widget && proxy.node !== '-1');
}
