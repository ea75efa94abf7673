import { Pencil } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { useGraph } from './node-states.ts';
import { useDraft } from './use-draft.ts';

const Markdown = lazy(
  async () =>
    await import('../../../ui/markdown/markdown.tsx').then((module) => ({ default: module.Markdown })),
);

interface Props {
  readonly nodeId: string;
  readonly text: string;
  readonly title: string;
  readonly isMarkdown: boolean;
}

/** The text of a note. Markdown is rendered, and edited as source. */
export function NoteText({ nodeId, text: saved, title, isMarkdown }: Props) {
  const { graph } = useMessages();
  const { actions } = useGraph();
  const [isEditing, setEditing] = useState(false);
  const { text, setDraft, endDraft } = useDraft(saved);
  if (isMarkdown && !isEditing) {
    return (
      <div className="group relative size-full" onDoubleClick={() => setEditing(true)}>
        <div
          tabIndex={0}
          role="region"
          aria-label={title}
          className="nopan nowheel scroll-quiet size-full overflow-auto rounded-sm text-13 wrap-anywhere select-text"
        >
          <Suspense fallback={<p className="whitespace-pre-wrap">{saved}</p>}>
            <Markdown text={saved} />
          </Suspense>
        </div>
        <button
          type="button"
          aria-label={graph.editNote}
          title={graph.editNote}
          onClick={() => setEditing(true)}
          className="nopan absolute top-0 right-0 flex size-6 items-center justify-center rounded-sm bg-surface text-muted opacity-0 group-hover:opacity-100 hover:text-text focus-visible:opacity-100"
        >
          <Pencil size={13} aria-hidden />
        </button>
      </div>
    );
  }
  return (
    <textarea
      aria-label={title}
      // Only after the button or a double click, which request it.
      autoFocus={isEditing}
      value={text}
      onChange={({ currentTarget }) => {
        setDraft(currentTarget.value, currentTarget.value);
        actions.setNote(nodeId, currentTarget.value);
      }}
      onBlur={() => {
        endDraft();
        setEditing(false);
      }}
      className="nopan nowheel scroll-quiet size-full resize-none bg-transparent text-13 leading-snug focus:outline-none focus-visible:outline-none"
    />
  );
}
