import { useMutation } from '@tanstack/react-query';
import { FileAudio, FileVideo, ImageUp, RefreshCw } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../../../atelier.ts';
import { useMessages } from '../../../i18n/i18n.tsx';
import { DropZone } from '../../../ui/drop-zone.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { showErrorToast } from '../../../ui/toasts.tsx';

interface Props {
  readonly kind: 'picture' | 'video' | 'audio';
  /** The name of a file, optionally with its folder: `photo.png [output]`. */
  readonly value: unknown;
  readonly label: string;
  readonly onValue: (value: string) => void;
}

const ACCEPT = { picture: 'image/*', video: 'video/*', audio: 'audio/*' };
const ICONS = { picture: ImageUp, video: FileVideo, audio: FileAudio };

/** A file input: dropped, chosen, pasted, or dragged from the gallery. */
export function MediaInput({ kind, value, label, onValue }: Props) {
  const { workflow: texts } = useMessages();
  const [fraction, setFraction] = useState<number>();
  const upload = useMutation({
    mutationFn: async (file: File) =>
      (
        await atelier.files.upload(file, {
          onProgress: ({ loaded, total = 0 }) => setFraction(total > 0 ? loaded / total : undefined),
        })
      ).name,
    onSuccess: onValue,
    onError: showErrorToast,
  });
  const take = useMutation({
    mutationFn: async (id: string) => {
      const { loader_path: path, name } = await atelier.assets.get(id);
      return path ?? name;
    },
    onSuccess: onValue,
    onError: showErrorToast,
  });
  const name = typeof value === 'string' ? value : '';
  const Icon = ICONS[kind];
  return (
    <div className="relative">
      <DropZone
        accept={ACCEPT[kind]}
        label={`${label}: ${name === '' ? texts.upload : `${texts.replaceFile} ${name}`}`}
        onFiles={([file]) => file && upload.mutate(file)}
        onAsset={(id) => take.mutate(id)}
        className="min-h-28 overflow-hidden bg-surface"
      >
        {name === '' ? (
          <span className="flex flex-col items-center gap-2 p-4 text-13">
            <Icon size={20} aria-hidden />
            {texts.upload}
          </span>
        ) : (
          <Chosen key={name} kind={kind} name={name} />
        )}
      </DropZone>
      {(upload.isPending || take.isPending) && (
        <div className="absolute inset-x-3 bottom-3">
          <ProgressBar fraction={fraction} label={texts.uploading} />
        </div>
      )}
    </div>
  );
}

function Chosen({ kind, name }: { readonly kind: Props['kind']; readonly name: string }) {
  const [isGone, setGone] = useState(false);
  const Icon = ICONS[kind];
  const { filename, type } = fileOf(name);
  return (
    <>
      {kind === 'picture' && !isGone ? (
        <img
          src={atelier.files.url({ filename, type }, { size: 1024 })}
          alt=""
          onError={() => setGone(true)}
          className="max-h-64 w-full object-contain"
        />
      ) : (
        <Icon size={20} aria-hidden className="mt-4" />
      )}
      <span className="flex w-full items-center gap-2 border-t border-line bg-surface px-3 py-1.5 text-12">
        <span className="min-w-0 grow truncate text-left">{shortName(filename)}</span>
        <RefreshCw size={13} aria-hidden className="shrink-0" />
      </span>
    </>
  );
}

/** Nodes take `name`, or `name [folder]` for files outside the input folder. */
export function fileOf(value: string): { filename: string; type: 'input' | 'output' | 'temp' } {
  const [, filename = value, type = 'input'] = /^(.*) \[(input|output|temp)\]$/s.exec(value) ?? [];
  return { filename, type: type as 'input' };
}

/** Uploaded files are named by their content. */
function shortName(name: string): string {
  return name.replace(/[0-9a-f]{40,}/, (hash) => `${hash.slice(0, 10)}…`);
}
