import { useMessages } from '../../i18n/i18n.tsx';
import { type GraphNode, linkedNode } from './graph-nodes.ts';
import { InputValue } from './input-value.tsx';

/** All input values of the workflow, by node. Values passed between nodes are in the timeline. */
export function JobInputs({ nodes }: { readonly nodes: ReadonlyMap<string, GraphNode> }) {
  const { jobs: texts } = useMessages();
  const given = [...nodes.values()]
    .map((node) => ({ ...node, inputs: node.inputs.filter(([, value]) => !linkedNode(value, nodes)) }))
    .filter(({ inputs }) => inputs.length > 0);
  if (given.length === 0) return <p className="p-4 text-13 text-muted">{texts.noInputs}</p>;
  return (
    <div className="divide-y divide-line">
      {given.map((node) => (
        <div key={node.id} className="px-4 py-3">
          <h3 className="mb-1.5 flex items-baseline justify-between gap-3 text-13 font-medium">
            <span className="min-w-0 wrap-anywhere">{node.title}</span>
            {node.title !== node.type && (
              <span className="truncate text-12 font-normal text-muted">{node.type}</span>
            )}
          </h3>
          <InputList node={node} nodes={nodes} />
        </div>
      ))}
    </div>
  );
}

export function InputList({
  node,
  nodes,
}: {
  readonly node: GraphNode;
  readonly nodes: ReadonlyMap<string, GraphNode>;
}) {
  return (
    <dl className="grid grid-cols-[minmax(72px,auto)_minmax(0,1fr)] gap-x-4 gap-y-1 text-13">
      {node.inputs.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="max-w-40 truncate text-muted" title={name}>
            {name}
          </dt>
          <dd className="flex min-w-0 flex-col items-start">
            <InputValue node={node} value={value} nodes={nodes} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
