import { toExactJson } from '@atelier/sdk';
import { useEffect, useEffectEvent, useRef } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useWorkflowModel } from './workflow-model.ts';

/** When the window regains focus, shows what the full editor or another tab has saved. Own changes stay until the user decides otherwise. */
export function useSavedElsewhere(): void {
  const { workflow: texts } = useMessages();
  const { source, savedJson, isDirty, adopt } = useWorkflowModel();
  const confirm = useConfirm();
  const asked = useRef('');
  const isLooking = useRef(false);
  const settle = useEffectEvent(async (read: typeof savedJson, before: typeof savedJson) => {
    // Saved here in the meantime: the next check compares with that.
    if (!read || !savedJson || savedJson !== before) return;
    const text = toExactJson(read);
    if (text === toExactJson(savedJson) || text === asked.current) return;
    if (isDirty) {
      asked.current = text;
      const { elsewhereTitle: title, elsewhereText: description, elsewhereOpen: action } = texts;
      if (!(await confirm({ title, description, action }))) return;
    }
    adopt(read);
    showToast(texts.elsewhere);
  });
  const look = useEffectEvent(async (signal: AbortSignal) => {
    if (source.savedId === undefined || isLooking.current) return;
    isLooking.current = true;
    const before = savedJson;
    try {
      const { workflow_json: read } = await atelier.workflows.get(source.savedId, { signal });
      await settle(read, before);
    } catch {
      // The user did not request it; a save would report the problem.
    } finally {
      isLooking.current = false;
    }
  });
  useEffect(() => {
    const leaving = new AbortController();
    const onFocus = () => {
      if (document.visibilityState === 'visible') void look(leaving.signal);
    };
    addEventListener('focus', onFocus);
    document.addEventListener('visibilitychange', onFocus);
    return () => {
      leaving.abort();
      removeEventListener('focus', onFocus);
      document.removeEventListener('visibilitychange', onFocus);
    };
  }, []);
}
