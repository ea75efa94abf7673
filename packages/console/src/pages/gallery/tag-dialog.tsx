import type { Asset } from '@atelier/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';
import { BATCH_SIZE } from './use-delete-assets.ts';

interface Props {
  /** The dialog is open if there are any. */
  readonly assets: readonly Asset[];
  readonly onClose: () => void;
}

const FOLDERS = new Set(['input', 'output', 'temp']);
const CHIP = 'inline-flex h-7 max-w-full items-center gap-1 rounded-full border border-line px-2.5 text-13';
const MAX_OFFERED = 12;

export const ownTags = ({ tags }: Pick<Asset, 'tags'>) => tags.filter((tag) => !FOLDERS.has(tag));

/** Adds and removes tags of files. */
export function TagDialog({ assets, onClose }: Props) {
  const { gallery } = useMessages();
  return (
    <Dialog
      isOpen={assets.length > 0}
      onClose={onClose}
      title={assets.length === 1 ? gallery.tagsOf(assets[0]?.name ?? '') : gallery.tagsOfMany(assets.length)}
    >
      {assets.length > 0 && <TagForm assets={assets} onClose={onClose} />}
    </Dialog>
  );
}

function TagForm({ assets, onClose }: Props) {
  const { gallery, common } = useMessages();
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const [added, setAdded] = useState<readonly string[]>([]);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const { data: counts = {} } = useQuery({
    queryKey: ['assets', 'tags'],
    queryFn: async ({ signal }) => await atelier.assets.countTags({ limit: 100, signal }),
  });
  const before = [...new Set(assets.flatMap(ownTags))].filter((tag) => !removed.includes(tag));
  const shown = [...new Set([...before, ...added])];
  const offered = Object.keys(counts)
    .filter((tag) => !FOLDERS.has(tag) && !shown.includes(tag))
    .slice(0, MAX_OFFERED);
  const add = (tags: readonly string[]) => {
    setAdded([...new Set([...added, ...tags])]);
    setRemoved(removed.filter((tag) => !tags.includes(tag)));
  };
  const take = () => {
    const tags = typed
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
    add(tags);
    setTyped('');
    return tags;
  };
  const save = useMutation({
    mutationFn: async () => {
      const ids = assets.map(({ id }) => id);
      const all = [...new Set([...added, ...take()])];
      for (let from = 0; from < ids.length; from += BATCH_SIZE) {
        await atelier.assets.changeTags(ids.slice(from, from + BATCH_SIZE), { add: all, remove: removed });
      }
    },
    onSuccess: onClose,
    onError: showErrorToast,
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ['assets'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== '') take();
    else save.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label={gallery.newTag} hint={gallery.newTagHint}>
        <TextInput value={typed} onValue={setTyped} maxLength={128} autoFocus autoComplete="off" />
      </Field>
      {shown.length > 0 && (
        <ul aria-label={gallery.tags} className="flex flex-wrap gap-1.5">
          {shown.map((tag) => (
            <li key={tag} className={CHIP}>
              <span className="truncate">{tag}</span>
              <button
                type="button"
                aria-label={gallery.removeTag(tag)}
                onClick={() => {
                  setAdded(added.filter((one) => one !== tag));
                  if (before.includes(tag)) setRemoved([...removed, tag]);
                }}
                className="-mr-1 flex size-5 shrink-0 items-center justify-center rounded-full text-muted hover:bg-hover hover:text-text"
              >
                <X size={13} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      {offered.length > 0 && (
        <div className="flex flex-wrap items-center gap-1.5">
          <span className="text-12 text-muted">{gallery.usedTags}</span>
          {offered.map((tag) => (
            <button
              key={tag}
              type="button"
              onClick={() => add([tag])}
              className={`${CHIP} border-dashed border-edge text-muted hover:bg-hover hover:text-text`}
            >
              <span className="truncate">{tag}</span>
            </button>
          ))}
        </div>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button look="primary" isBusy={save.isPending} onClick={() => save.mutate()}>
          {common.save}
        </Button>
      </div>
    </form>
  );
}
