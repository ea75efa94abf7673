import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Brush, FileAudio, ImageOff, Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';

import { atelier } from '../../../atelier.ts';
import { useMessages } from '../../../i18n/i18n.tsx';
import { cx } from '../../../ui/class-names.ts';
import { Spinner } from '../../../ui/spinner.tsx';
import { showErrorToast } from '../../../ui/toasts.tsx';
import { ChoiceWidget } from './choice-widget.tsx';
import { fileUrl, mediaKindOf, toFilePlace } from './file-values.ts';
import { MaskDialog } from './mask-dialog.tsx';
import type { WidgetProps } from './widget-row.tsx';

interface Props extends WidgetProps {
  readonly kind: 'image' | 'video' | 'audio' | 'file';
}

const PREVIEW_SIZE = 512;
const TOOL =
  'nopan flex h-full w-6 shrink-0 items-center justify-center rounded-sm border border-edge/50 bg-canvas text-muted hover:border-edge hover:text-text disabled:opacity-50';

/** A file of the account: chosen, uploaded or dropped. A mask can be drawn on a picture. */
export function FileWidget({ kind, ...props }: Props) {
  const { widget, label, onValue } = props;
  const { graph } = useMessages();
  const queryClient = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [isMasking, setMasking] = useState(false);
  const value = typeof widget.value === 'string' ? widget.value : '';
  const upload = useMutation({
    mutationFn: async (file: File) => await atelier.files.upload(file),
    onSuccess: async ({ name }) => {
      onValue(name);
      await queryClient.invalidateQueries({ queryKey: ['assets'] });
    },
    onError: showErrorToast,
  });
  const take = (files: FileList | null) => files?.[0] && upload.mutate(files[0]);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <div
      className={cx(
        'flex size-full min-w-0 flex-col gap-1 rounded-sm',
        isOver && 'outline-2 outline-accent outline-solid',
      )}
      onDragOver={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className="flex h-[22px] shrink-0 gap-1">
        <ChoiceWidget {...props} />
        {kind === 'image' && value !== '' && (
          <button
            type="button"
            aria-label={graph.drawMask}
            title={graph.drawMask}
            onClick={() => setMasking(true)}
            className={TOOL}
          >
            <Brush size={13} aria-hidden />
          </button>
        )}
        <button
          type="button"
          aria-label={graph.upload(label)}
          title={graph.upload(label)}
          disabled={upload.isPending}
          onClick={() => input.current?.click()}
          className={TOOL}
        >
          {upload.isPending ? <Spinner size={13} /> : <Upload size={13} aria-hidden />}
        </button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={graph.upload(label)}
          {...(kind !== 'file' && { accept: `${kind}/*` })}
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            currentTarget.value = '';
          }}
        />
      </div>
      {kind !== 'file' && value !== '' && <FilePreview key={value} value={value} />}
      {isMasking && (
        <MaskDialog
          picture={toFilePlace(value)}
          onClose={() => setMasking(false)}
          onSaved={(name) => {
            setMasking(false);
            onValue(name);
          }}
        />
      )}
    </div>
  );
}

function FilePreview({ value }: { readonly value: string }) {
  const { graph } = useMessages();
  const [isMissing, setMissing] = useState(false);
  const place = toFilePlace(value);
  const kind = mediaKindOf(place.filename);
  const frame = 'min-h-0 w-full grow rounded-sm bg-canvas object-contain';
  if (isMissing) {
    return (
      <div className={cx(frame, 'flex items-center justify-center gap-2 text-12 text-muted')}>
        <ImageOff size={16} aria-hidden className="text-faint" />
        {graph.noFile}
      </div>
    );
  }
  const lost = () => setMissing(true);
  if (kind === 'video') {
    return (
      <video
        src={fileUrl(place)}
        poster={fileUrl(place, PREVIEW_SIZE)}
        controls
        muted
        preload="metadata"
        onError={lost}
        className={cx('nopan', frame)}
      />
    );
  }
  if (kind === 'audio') {
    return (
      <div className={cx(frame, 'flex flex-col items-center justify-center gap-2 px-2')}>
        <FileAudio size={20} aria-hidden className="text-faint" />
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- outputs have no captions. */}
        <audio src={fileUrl(place)} controls preload="metadata" onError={lost} className="nopan h-8 w-full" />
      </div>
    );
  }
  return (
    <img
      src={fileUrl(place, PREVIEW_SIZE)}
      alt={place.filename}
      loading="lazy"
      draggable={false}
      onError={lost}
      className={frame}
    />
  );
}
