import type { AdminPackVersionChanges, PackVersion } from '@atelier/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck, Flag, MessageSquareWarning, ShieldBan } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { useMe } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { type Decision, ReasonDialog } from './reason-dialog.tsx';

type Status = NonNullable<AdminPackVersionChanges['status']>;

const MAX_REASON = 20_000;
const MAX_NOTE = 2000;
const DECISIONS = {
  NodeVersionStatusActive: <CircleCheck size={14} aria-hidden />,
  NodeVersionStatusFlagged: <Flag size={14} aria-hidden />,
  NodeVersionStatusBanned: <ShieldBan size={14} aria-hidden />,
} as const satisfies Partial<Record<Status, unknown>>;

interface Props {
  readonly version: PackVersion;
  /** The publisher, if the user owns the pack: owners may request a review. */
  readonly publisher?: string | undefined;
}

/** The decisions about a version: administrators change its status, owners request a review. */
export function VersionActions({ version, publisher }: Props) {
  const { registry } = useMessages();
  const { role } = useMe();
  const client = useQueryClient();
  const [decision, setDecision] = useState<Decision>();
  const { node_id: pack, version: number, status } = version;
  const name = `${pack} ${number}`;

  const decide = (to: keyof typeof DECISIONS) => {
    const texts = registry.decisions[to];
    setDecision({
      title: texts.title(name),
      description: texts.description,
      label: registry.reason,
      hint: registry.reasonHint,
      action: texts.action,
      isDangerous: to === 'NodeVersionStatusBanned',
      maxLength: MAX_REASON,
      act: async (reason) =>
        await atelier.admin.registry.decide(pack, number, {
          status: to,
          ...(reason !== '' && { status_reason: reason }),
        }),
    });
  };
  const ask = (owner: string) =>
    setDecision({
      title: registry.requestReviewTitle(name),
      description: registry.requestReviewHint,
      label: registry.note,
      hint: registry.noteHint,
      action: registry.requestReview,
      maxLength: MAX_NOTE,
      act: async (note) =>
        await atelier.registry.versions.requestReview(owner, pack, version.id, {
          note: note === '' ? undefined : note,
        }),
    });
  const done = () => {
    showToast(registry.done);
    void client.invalidateQueries({ queryKey: ['packs'] });
  };
  const isInDoubt = status === 'NodeVersionStatusFlagged' || status === 'NodeVersionStatusBanned';
  if (status === 'NodeVersionStatusDeleted') return null;
  return (
    <div className="flex flex-wrap gap-2">
      {role === 'admin' &&
        (Object.keys(DECISIONS) as (keyof typeof DECISIONS)[])
          // A version that was never uploaded can only be banned.
          .filter((to) =>
            to === status
              ? status === 'NodeVersionStatusFlagged'
              : to === 'NodeVersionStatusBanned' || version.checksum !== undefined,
          )
          .map((to) => (
            <Button
              key={to}
              size="sm"
              look={to === 'NodeVersionStatusBanned' ? 'danger' : 'secondary'}
              icon={DECISIONS[to]}
              onClick={() => decide(to)}
            >
              {to === status ? registry.keepFlagged : registry.decisions[to].action}
            </Button>
          ))}
      {publisher !== undefined && isInDoubt && version.review_request === undefined && (
        <Button
          size="sm"
          icon={<MessageSquareWarning size={14} aria-hidden />}
          onClick={() => ask(publisher)}
        >
          {registry.requestReview}
        </Button>
      )}
      <ReasonDialog decision={decision} onClose={() => setDecision(undefined)} onDone={done} />
    </div>
  );
}
