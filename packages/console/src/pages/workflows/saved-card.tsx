import type { SavedWorkflow } from '@atelier/sdk';
import { Link, useNavigate } from '@tanstack/react-router';
import { Copy, Ellipsis, History, Link2, Link2Off, Pencil, Trash2, Workflow } from 'lucide-react';
import { useState } from 'react';

import { useMessages } from '../../i18n/i18n.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { JobPicture } from '../workflow/form/job-picture.tsx';
import { NameDialog } from '../workflow/header/name-dialog.tsx';
import { VersionsDialog } from '../workflow/header/versions-dialog.tsx';
import { storeDraft } from '../workflow/open-workflows.ts';
import { useSavedActions } from './use-saved-actions.ts';

/** A saved workflow with its latest output. */
export function SavedCard({ workflow }: { readonly workflow: SavedWorkflow }) {
  const { workflows: texts, common } = useMessages();
  const navigate = useNavigate();
  const actions = useSavedActions(workflow);
  const [dialog, setDialog] = useState<'rename' | 'versions'>();
  const { id, name, share_id: shareId, updated_at: editedAt } = workflow;
  const icon = (Icon: typeof Copy) => <Icon size={15} aria-hidden className="text-muted" />;
  const close = () => setDialog(undefined);
  return (
    <article className="group relative flex min-w-0 flex-col overflow-hidden rounded-md border border-line bg-surface hover:border-edge">
      <div className="flex aspect-16/10 items-center justify-center overflow-hidden bg-hover">
        <JobPicture job={workflow} size={512}>
          <Workflow size={26} aria-hidden className="text-faint" />
        </JobPicture>
      </div>
      <div className="flex items-start gap-1 p-3 pr-1.5">
        <div className="min-w-0 grow">
          <h3 className="truncate font-medium">
            <Link
              to="/workflows/open"
              search={{ saved: id }}
              title={name}
              className="before:absolute before:inset-0 focus-visible:outline-none focus-visible:before:outline-2 focus-visible:before:-outline-offset-2 focus-visible:before:outline-accent"
            >
              {name}
            </Link>
          </h3>
          <p className="mt-0.5 flex items-center gap-1.5 text-12 text-muted">
            <span className="truncate">
              {texts.edited} <RelativeTime at={editedAt} />
            </span>
            {shareId !== undefined && (
              <span className="flex shrink-0 items-center gap-1">
                · <Link2 size={12} aria-hidden /> {texts.shared}
              </span>
            )}
          </p>
        </div>
        <div className="relative">
          <Menu
            trigger={
              <IconButton size="sm" label={texts.actions(name)} icon={<Ellipsis size={17} aria-hidden />} />
            }
            groups={[
              [
                { label: common.rename, icon: icon(Pencil), onSelect: () => setDialog('rename') },
                { label: texts.duplicate, icon: icon(Copy), onSelect: () => void actions.duplicate() },
                { label: texts.versions, icon: icon(History), onSelect: () => setDialog('versions') },
              ],
              [
                { label: texts.share, icon: icon(Link2), onSelect: () => void actions.share() },
                ...(shareId === undefined
                  ? []
                  : [{ label: texts.unshare, icon: icon(Link2Off), onSelect: () => void actions.unshare() }]),
              ],
              [
                {
                  label: common.delete,
                  icon: <Trash2 size={15} aria-hidden />,
                  isDangerous: true,
                  onSelect: () => void actions.remove(),
                },
              ],
            ]}
          />
        </div>
      </div>
      <NameDialog
        isOpen={dialog === 'rename'}
        title={texts.renameTitle(name)}
        action={common.rename}
        name={name}
        onClose={close}
        onName={actions.rename}
      />
      <VersionsDialog
        isOpen={dialog === 'versions'}
        savedId={id}
        onClose={close}
        onOpen={(json) => void navigate({ to: '/workflows/open', search: { draft: storeDraft(name, json) } })}
      />
    </article>
  );
}

export function SavedSkeleton() {
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface">
      <Skeleton className="aspect-16/10 rounded-none" />
      <div className="flex flex-col gap-2 p-3">
        <Skeleton className="h-5 w-2/3" />
        <Skeleton className="h-4 w-1/3" />
      </div>
    </div>
  );
}
