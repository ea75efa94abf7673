import { Download } from 'lucide-react';
import { memo } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { fileUrl, mediaKindOf, outputsOf } from './file-values.ts';
import type { NodeState } from './node-states.ts';

const MAX_SHOWN = 9;
const PREVIEW_SIZE = 512;

/** The output of a node: its preview while running, else its results. */
export const NodeOutputs = memo(
  ({
    title,
    preview,
    output,
  }: {
    readonly title: string;
    readonly preview: NodeState['preview'];
    readonly output: Output;
  }) => {
    const { graph } = useMessages();
    if (preview !== undefined) {
      return (
        <img
          src={preview}
          alt={graph.previewOf(title)}
          className="size-full rounded-sm bg-canvas object-contain"
        />
      );
    }
    const { files, texts } = outputsOf(output);
    if (files.length === 0 && texts.length === 0) {
      return <div className="size-full rounded-sm border border-dashed border-line" />;
    }
    return (
      <div className="flex size-full flex-col gap-1">
        {texts.length > 0 && (
          <pre
            tabIndex={0}
            role="region"
            aria-label={graph.textOf(title)}
            className="nopan nowheel scroll-quiet min-h-0 grow overflow-auto rounded-sm bg-canvas p-2 font-mono text-12 whitespace-pre-wrap wrap-anywhere select-text"
          >
            {texts.join('\n')}
          </pre>
        )}
        {files.length > 0 && (
          <div
            className="grid min-h-0 grow gap-1"
            style={{
              gridTemplateColumns: `repeat(${Math.ceil(Math.sqrt(Math.min(files.length, MAX_SHOWN)))}, minmax(0, 1fr))`,
            }}
          >
            {files.slice(0, MAX_SHOWN).map((place) => (
              <Output key={`${place.type}/${place.subfolder}/${place.filename}`} place={place} />
            ))}
          </div>
        )}
      </div>
    );
  },
);

type Output = NonNullable<NodeState['live']>['output'];

function Output({ place }: { readonly place: ReturnType<typeof outputsOf>['files'][number] }) {
  const kind = mediaKindOf(place.filename);
  const url = fileUrl(place);
  const frame = 'nopan size-full min-h-0 rounded-sm bg-canvas object-contain';
  if (kind === 'video') {
    return (
      <video
        src={url}
        poster={fileUrl(place, PREVIEW_SIZE)}
        controls
        muted
        loop
        preload="none"
        className={frame}
      />
    );
  }
  if (kind === 'audio')
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- outputs have no captions.
    return <audio src={url} controls preload="metadata" className="nopan w-full self-center" />;
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="nopan flex min-h-0 min-w-0 items-center justify-center gap-2 rounded-sm bg-canvas text-12 text-muted"
    >
      {kind === 'image' ? (
        <img
          src={fileUrl(place, PREVIEW_SIZE)}
          alt={place.filename}
          draggable={false}
          className="size-full object-contain"
        />
      ) : (
        <>
          <Download size={14} aria-hidden />
          <span className="truncate">{place.filename}</span>
        </>
      )}
    </a>
  );
}
