import type { NodeCatalogue } from '../catalogue.ts';
import type { Graph, GraphNode } from '../graph.ts';
import { type Budget, createBudget } from './budget.ts';
import { type EditorNode, isEditorWorkflow, SAME_ID, toEditorGraph } from './editor-graph.ts';
import { layOut, namedIn, type Scope } from './lay-out.ts';
import { createPromotedValues } from './promoted-values.ts';
import { createSubgraphs } from './subgraphs.ts';
import { type TraceParts, traceLink } from './trace-link.ts';
import { createProblems, UnreadableWorkflow } from './unreadable-workflow.ts';
import { type WidgetValues, widgetValues } from './widget-values.ts';

/** Converts what the editor saves into what it would send. Throws an `UnreadableWorkflow`, and nothing else. */
export function toApiFormat(
  workflow: unknown,
  { catalogue }: { readonly catalogue: NodeCatalogue },
): { readonly prompt: Graph; readonly order: readonly string[] } {
  if (!isEditorWorkflow(workflow)) {
    const message =
      'This is not a workflow of the editor, which has a list of “nodes” and a list of “links”.';
    throw new UnreadableWorkflow([{ message }]);
  }
  const problems = createProblems();
  const budget = createBudget();
  const subgraphs = createSubgraphs(workflow, problems);
  const graph = toEditorGraph(workflow, '', problems);
  const placed = layOut(graph, { catalogue, subgraphs, budget, problems });
  const widgets = createWidgets(catalogue, budget);
  const parts = { budget, problems, valueOf: widgets.ofPrimitive, promoted: widgets.ofInput };
  const nodes = new Map<string, GraphNode>();
  for (const { scope, node } of placed) {
    const id = scope.prefix + node.id;
    if (nodes.has(id)) {
      problems.addOf(namedIn(scope, node), SAME_ID);
    } else {
      const title = node.title ?? catalogue.get(node.type)?.title ?? node.type;
      budget.spend(id.length + node.type.length + title.length);
      const inputs = toInputs(scope, node, widgets.ofNode(scope, node), parts);
      nodes.set(id, { inputs, class_type: node.type, _meta: { title } });
    }
  }
  problems.check();
  return { prompt: Object.fromEntries(nodes), order: [...nodes.keys()] };
}

function toInputs(
  scope: Scope,
  node: EditorNode,
  values: WidgetValues,
  parts: TraceParts,
): GraphNode['inputs'] {
  const inputs = new Map<string, unknown>();
  for (const [name, value] of values) inputs.set(name, wrapped(value));
  for (const input of node.inputs) {
    const source = input.name === '' ? undefined : traceLink(scope, input, parts);
    // What runs no more takes the widget's value with it, so that nobody computes with a value they do not see.
    if (source?.kind === 'gone') inputs.delete(input.name);
    if (source?.kind === 'value') inputs.set(input.name, wrapped(source.value));
    if (source?.kind === 'output') inputs.set(input.name, [source.id, source.slot]);
  }
  for (const [name, value] of inputs) {
    parts.budget.spend(name.length);
    parts.budget.spendValue(value);
  }
  return Object.fromEntries(inputs);
}

/** A bare list would be a link. */
function wrapped(value: unknown): unknown {
  return Array.isArray(value) ? { __value__: value } : value;
}

function createWidgets(catalogue: NodeCatalogue, budget: Budget) {
  const promoted = createPromotedValues(budget);
  const saved = new Map<EditorNode, WidgetValues>();
  const own = (node: EditorNode): WidgetValues => {
    const values = saved.get(node) ?? widgetValues(catalogue.get(node.type), node);
    saved.set(node, values);
    return values;
  };
  const ofInput = (inside: Scope, slot: number): unknown => {
    const subgraph = inside.host?.subgraph;
    const name = subgraph?.inputNames[slot];
    const value = name === undefined ? undefined : promoted.ofInput(inside, name);
    const first = subgraph?.firstWidget.get(slot);
    if (!first || (value !== undefined && value !== null)) return value;
    // A node that has no value of its own shows that of the first widget the input leads to, for all of them.
    const { node, widget } = first;
    const nested = inside.inner.get(node.id);
    if (nested) return ofInput(nested, nested.host?.subgraph.slotOf.get(widget) ?? -1);
    return promoted.ofWidget(inside, node, widget) ?? own(node).get(widget);
  };
  return {
    ofNode(scope: Scope, node: EditorNode): WidgetValues {
      const values = own(node);
      const inputs = catalogue.get(node.type)?.inputs ?? {};
      // Previews and buttons are shown as well, but are not inputs.
      const others = [...promoted.ofNode(scope, node)].filter(
        ([name]) => values.has(name) || Object.hasOwn(inputs, name),
      );
      return others.length === 0 ? values : new Map([...values, ...others]);
    },
    ofInput,
    ofPrimitive(scope: Scope, node: EditorNode): unknown {
      const { list, named } = node.values;
      return promoted.ofWidget(scope, node, 'value') ?? named?.get('value') ?? list?.[0];
    },
  };
}
