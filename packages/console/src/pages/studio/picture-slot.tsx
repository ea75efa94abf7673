import { useMutation } from '@tanstack/react-query';
import { ImagePlus, Images, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { queryClient } from '../../query-client.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { DropZone } from '../../ui/drop-zone.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';
import { AssetPicker } from './asset-picker.tsx';

interface Props {
  /** The id of the chosen picture. */
  readonly value: string | undefined;
  readonly onValue: (id: string | undefined) => void;
  readonly label: string;
  /** The label of the drop zone. */
  readonly invitation: ReactNode;
  readonly isLarge?: boolean;
}

const ACCEPTED = 'image/png,image/jpeg,image/webp';

/** Picks a picture: dropped, pasted, chosen, or from the gallery. New pictures are added to the gallery. */
export function PictureSlot({ value, onValue, label, invitation, isLarge = false }: Props) {
  const { studio } = useMessages();
  const [isPicking, setPicking] = useState(false);
  const upload = useMutation({
    mutationFn: async (file: File) => await atelier.assets.upload(file),
    onSuccess: ({ id }) => onValue(id),
    onError: showErrorToast,
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: ['assets'] });
    },
  });
  return (
    <div role="group" aria-label={label} className="flex min-w-0 flex-col gap-2">
      {value === undefined ? (
        <DropZone
          accept={ACCEPTED}
          onFiles={([file]) => file && upload.mutate(file)}
          onAsset={onValue}
          className={isLarge ? 'min-h-60 py-12 lg:min-h-[55dvh]' : 'h-24'}
        >
          {upload.isPending ? (
            <Spinner size={isLarge ? 24 : 18} />
          ) : (
            <ImagePlus size={isLarge ? 28 : 18} aria-hidden />
          )}
          <span className={isLarge ? 'text-16' : 'text-13'}>{invitation}</span>
        </DropZone>
      ) : (
        <div className={cx('relative', isLarge ? 'h-[40dvh] min-h-60 lg:h-[55dvh]' : 'h-24')}>
          <img
            src={atelier.assets.previewUrl(value, isLarge ? 1024 : 256)}
            alt={label}
            className="size-full rounded-md bg-hover object-contain"
          />
          <IconButton
            size="sm"
            label={`${studio.remove}: ${label}`}
            icon={<X size={15} aria-hidden />}
            onClick={() => onValue(undefined)}
            className="absolute top-1.5 right-1.5 border border-line bg-surface"
          />
        </div>
      )}
      <Button
        size="sm"
        look={isLarge ? 'secondary' : 'quiet'}
        className="self-center"
        icon={<Images size={14} aria-hidden />}
        onClick={() => setPicking(true)}
      >
        {studio.fromGallery}
      </Button>
      <AssetPicker isOpen={isPicking} onClose={() => setPicking(false)} onPick={({ id }) => onValue(id)} />
    </div>
  );
}
