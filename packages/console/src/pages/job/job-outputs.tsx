import type { JobOutput } from '@atelier/sdk';
import { Download, ExternalLink } from 'lucide-react';
import { useState } from 'react';

import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { cx } from '../../ui/class-names.ts';
import { Panel } from '../../ui/page.tsx';
import type { GraphNode } from './graph-nodes.ts';
import { OutputThumbnail, OutputView, outputUrl } from './output-view.tsx';

interface Props {
  readonly outputs: readonly JobOutput[];
  readonly nodes: ReadonlyMap<string, GraphNode>;
}

/** More at once would make the page slow. */
const MAX_SHOWN = 60;
const LINK =
  'inline-flex size-9 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text';

/** One large output, the others in a strip below. */
export function JobOutputs({ outputs, nodes }: Props) {
  const { jobs: texts } = useMessages();
  const format = useFormat();
  const [chosen, setChosen] = useState<string>();
  const [limit, setLimit] = useState(MAX_SHOWN);
  const current = outputs.find(({ id }) => id === chosen) ?? outputs[0];
  if (!current) return null;
  const nodeName = (id = '') => nodes.get(id)?.title ?? texts.node(id);
  return (
    <Panel className="overflow-hidden">
      <div className="flex h-[min(62dvh,720px)] max-sm:h-[min(62dvh,100vw)] items-center justify-center bg-hover">
        <OutputView
          key={current.id}
          output={current}
          alt={texts.outputOf(current.name, nodeName(current.nodeId))}
        />
      </div>
      <div className="flex h-11 items-center gap-3 border-t border-line pr-1 pl-4 text-13">
        <span className="min-w-0 truncate font-medium" title={current.name}>
          {current.name}
        </span>
        <span className="mr-auto shrink-0 text-muted max-sm:hidden">{format.bytes(current.size)}</span>
        <span className="flex shrink-0">
          <a
            href={outputUrl(current)}
            target="_blank"
            rel="noreferrer"
            aria-label={texts.openFile(current.name)}
            title={texts.openFile(current.name)}
            className={LINK}
          >
            <ExternalLink size={16} aria-hidden />
          </a>
          <a
            href={outputUrl(current)}
            download={current.name}
            aria-label={texts.downloadFile(current.name)}
            title={texts.downloadFile(current.name)}
            className={LINK}
          >
            <Download size={16} aria-hidden />
          </a>
        </span>
      </div>
      {outputs.length > 1 && (
        <div className="flex flex-wrap gap-1.5 border-t border-line p-3">
          {outputs.slice(0, limit).map((output) => (
            <button
              key={output.id}
              type="button"
              aria-pressed={output === current}
              aria-label={texts.outputOf(output.name, nodeName(output.nodeId))}
              onClick={() => setChosen(output.id)}
              className={cx(
                'size-16 overflow-hidden rounded-sm bg-hover',
                output === current && 'outline-2 outline-offset-1 outline-accent',
              )}
            >
              <OutputThumbnail output={output} />
            </button>
          ))}
          {outputs.length > limit && (
            <button
              type="button"
              onClick={() => setLimit(limit + 200)}
              className="h-16 rounded-sm px-3 text-13 text-muted hover:bg-hover hover:text-text"
            >
              {texts.showMore(outputs.length - limit)}
            </button>
          )}
        </div>
      )}
    </Panel>
  );
}
