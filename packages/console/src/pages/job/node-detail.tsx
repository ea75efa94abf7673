import type { JobOutput, JobTimeline } from '@atelier/sdk';
import type { ReactNode } from 'react';

import { useMessages } from '../../i18n/i18n.tsx';
import type { GraphNode } from './graph-nodes.ts';
import { InputList } from './job-inputs.tsx';
import { LogLines } from './log-lines.tsx';
import { OutputThumbnail, outputUrl } from './output-view.tsx';
import type { TextOutput } from './text-outputs.ts';

interface Props {
  /** Absent for a node that is not in the workflow. */
  readonly node: GraphNode | undefined;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly outputs: readonly JobOutput[];
  readonly texts: readonly TextOutput[];
  readonly log: JobTimeline['log'];
}

/** The inputs, outputs and log of a node. */
export function NodeDetail({ node, nodes, outputs, texts: shown, log }: Props) {
  const { jobs: texts } = useMessages();
  return (
    <div className="grid gap-x-8 gap-y-4 border-y border-line bg-canvas px-4 py-4 md:grid-cols-3">
      <Part title={texts.inputs}>
        {node && node.inputs.length > 0 ? (
          <InputList node={node} nodes={nodes} />
        ) : (
          <None>{texts.noInputs}</None>
        )}
      </Part>
      <Part title={texts.outputs}>
        {outputs.length + shown.length === 0 && <None>{texts.noOutputsOfNode}</None>}
        <div className="flex flex-wrap gap-2">
          {outputs.slice(0, 24).map((output) => (
            <a
              key={output.id}
              href={outputUrl(output)}
              target="_blank"
              rel="noreferrer"
              aria-label={texts.openFile(output.name)}
              title={output.name}
              className="size-20 overflow-hidden rounded-sm bg-hover"
            >
              <OutputThumbnail output={output} />
            </a>
          ))}
        </div>
        {shown.map(({ text }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- texts have no other key and do not move.
          <p key={index} className="line-clamp-6 text-13 wrap-anywhere whitespace-pre-wrap">
            {text}
          </p>
        ))}
      </Part>
      <Part title={texts.log}>
        {log.length > 0 ? <LogLines lines={log} nodes={nodes} /> : <None>{texts.noLogOfNode}</None>}
      </Part>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h3 className="mb-2 text-12 font-medium text-muted">{title}</h3>
      {children}
    </section>
  );
}

function None({ children }: { readonly children: ReactNode }) {
  return <p className="text-13 text-muted">{children}</p>;
}
