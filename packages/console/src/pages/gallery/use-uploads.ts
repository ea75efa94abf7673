import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { sentenceOf } from '../../ui/error-sentence.ts';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';

export type Uploads = ReturnType<typeof useUploads>;

interface State {
  readonly files: number;
  readonly done: number;
  readonly bytes: number;
  readonly sent: number;
}

const NONE: State = { files: 0, done: 0, bytes: 0, sent: 0 };
const CONCURRENCY = 2;

/** Uploads files, two at a time. */
export function useUploads() {
  const { gallery } = useMessages();
  const client = useQueryClient();
  const [state, setState] = useState(NONE);
  const waiting = useRef<File[]>([]);
  const running = useRef(0);
  const isBusy = state.files > state.done;

  useEffect(() => {
    if (!isBusy) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isBusy]);

  async function send(file: File): Promise<void> {
    let reported = 0;
    const tellSent = (loaded: number) => {
      const more = Math.min(loaded, file.size) - reported;
      reported += more;
      setState((before) => ({ ...before, sent: before.sent + more }));
    };
    try {
      const { created_new: isNew } = await atelier.assets.upload(file, {
        onProgress: ({ loaded }) => tellSent(loaded),
      });
      if (!isNew) showToast(gallery.known(file.name));
    } catch (error) {
      showErrorToast(new Error(gallery.uploadFailed(file.name, sentenceOf(error))));
    }
    tellSent(file.size);
    setState((before) => ({ ...before, done: before.done + 1 }));
  }

  async function work(): Promise<void> {
    for (let file = waiting.current.shift(); file; file = waiting.current.shift()) await send(file);
    running.current -= 1;
    await client.invalidateQueries({ queryKey: ['assets'] });
  }

  return {
    ...state,
    isBusy,
    add(files: readonly File[]): void {
      if (files.length === 0) return;
      waiting.current.push(...files);
      setState((before) => {
        const { files: count, done, bytes, sent } = before.files > before.done ? before : NONE;
        const more = files.reduce((sum, { size }) => sum + size, 0);
        return { files: count + files.length, done, bytes: bytes + more, sent };
      });
      while (running.current < CONCURRENCY && running.current < waiting.current.length) {
        running.current += 1;
        void work();
      }
    },
  };
}
