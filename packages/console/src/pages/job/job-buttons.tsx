import type { JobDetail, JobOutput } from '@atelier/sdk';
import { useMutation } from '@tanstack/react-query';
import { Ban, Download, Pencil, RotateCw } from 'lucide-react';

import { useMessages } from '../../i18n/i18n.tsx';
import { isActive } from '../../live/job-query.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { shortId } from '../../ui/copy.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';
import { downloadOutputs } from './download-outputs.ts';
import { useJobActions } from './use-job-actions.ts';

interface Props {
  readonly job: JobDetail;
  readonly outputs: readonly JobOutput[];
}

/** The actions on a job, the most likely last. */
export function JobButtons({ job, outputs }: Props) {
  const { jobs: texts } = useMessages();
  const { cancel, runAgain, isCancelling, isRunningAgain } = useJobActions();
  const downloading = useMutation({
    mutationFn: async () => await downloadOutputs(outputs, shortId(job.id)),
    onError: showErrorToast,
  });
  return (
    <div className="flex flex-wrap items-center gap-2">
      {outputs.length > 0 && (
        <IconButton
          label={downloading.isPending ? texts.downloading : texts.downloadOutputs}
          disabled={downloading.isPending}
          icon={<Download size={16} aria-hidden />}
          onClick={() => downloading.mutate()}
        />
      )}
      {isActive(job) && (
        <Button
          look="danger"
          isBusy={isCancelling}
          icon={<Ban size={14} aria-hidden />}
          onClick={() => void cancel([job.id])}
        >
          {isCancelling ? texts.cancelling : texts.cancel}
        </Button>
      )}
      <Button
        isBusy={isRunningAgain}
        icon={<RotateCw size={14} aria-hidden />}
        onClick={() => runAgain(job.id)}
      >
        {texts.runAgain}
      </Button>
      <ButtonLink
        to="/workflows/open"
        search={{ job: job.id }}
        look="primary"
        icon={<Pencil size={14} aria-hidden />}
      >
        {texts.runWithChanges}
      </ButtonLink>
    </div>
  );
}
