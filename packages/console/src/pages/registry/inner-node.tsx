import type { ComfyNode } from '@atelier/sdk';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

import { useMessages } from '../../i18n/i18n.tsx';
import { type NodeInput, type NodeOutput, readInputs, readOutputs } from './read-node-types.ts';

/** A node defined by a pack, with its inputs and outputs. */
export function InnerNode({
  node,
  isOpenAtFirst,
}: {
  readonly node: ComfyNode;
  readonly isOpenAtFirst: boolean;
}) {
  const { registry } = useMessages();
  const inputs = readInputs(node.input_types);
  const outputs = readOutputs(node);
  return (
    <details open={isOpenAtFirst} className="group min-w-0 border-b border-line last:border-b-0">
      <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-2 hover:bg-hover/60 focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden
          className="shrink-0 text-muted transition-transform group-open:rotate-90"
        />
        <span className="min-w-0 font-medium wrap-anywhere">{node.comfy_node_name}</span>
        {node.deprecated && <Badge>{registry.deprecated}</Badge>}
        {node.experimental && <Badge>{registry.experimental}</Badge>}
        <span className="min-w-0 text-12 text-muted wrap-anywhere sm:ml-auto">{node.category}</span>
      </summary>
      <div className="flex min-w-0 flex-col gap-4 px-4 pt-1 pb-4 sm:pl-10">
        {node.description !== undefined && (
          <p className="text-13 text-muted whitespace-pre-line wrap-anywhere">{node.description}</p>
        )}
        <div className="grid min-w-0 gap-x-10 gap-y-4 md:grid-cols-2">
          <Sockets title={registry.inputs}>
            {inputs === undefined ? (
              <p className="text-13 text-muted">{registry.inputsUnknown}</p>
            ) : (
              <Names>
                {inputs.map((input) => (
                  <Input key={input.name} input={input} />
                ))}
              </Names>
            )}
          </Sockets>
          <Sockets title={registry.outputs}>
            <Names>
              {outputs.map((output, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- names may repeat, and they do not move.
                <Output key={index} output={output} />
              ))}
            </Names>
          </Sockets>
        </div>
      </div>
    </details>
  );
}

function Badge({ children }: { readonly children: ReactNode }) {
  return <span className="rounded-sm border border-line px-1.5 text-12 text-muted">{children}</span>;
}

function Sockets({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h2 className="mb-1.5 text-12 font-medium text-muted">{title}</h2>
      {children}
    </section>
  );
}

function Names({ children }: { readonly children: readonly ReactNode[] }) {
  const { common } = useMessages();
  if (children.length === 0) return <p className="text-13 text-muted">{common.none}</p>;
  return <ul className="flex flex-col gap-1.5">{children}</ul>;
}

const LINE = 'flex min-w-0 flex-wrap items-baseline gap-x-2 text-13';
const TYPE = 'min-w-0 font-mono text-12 text-accent wrap-anywhere';

function Input({ input: { name, type, isOptional, options } }: { readonly input: NodeInput }) {
  const { registry } = useMessages();
  return (
    <li className={LINE}>
      <span className="font-mono text-12 wrap-anywhere">{name}</span>
      <span className={TYPE}>{type ?? registry.computed}</span>
      {isOptional && <span className="text-12 text-muted">{registry.optional}</span>}
      {options.length > 0 && (
        <span className="min-w-0 text-12 text-muted wrap-anywhere">
          {options.map(([option, value]) => `${option} ${value}`).join(' · ')}
        </span>
      )}
    </li>
  );
}

function Output({ output: { name, type, isList } }: { readonly output: NodeOutput }) {
  const { registry } = useMessages();
  return (
    <li className={LINE}>
      <span className="font-mono text-12 wrap-anywhere">{name}</span>
      {type !== name && <span className={TYPE}>{type}</span>}
      {isList && <span className="text-12 text-muted">{registry.list}</span>}
    </li>
  );
}
