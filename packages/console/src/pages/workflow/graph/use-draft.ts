import { useState } from 'react';

/**
 * What is being typed, which may be half a number. It stands until the field is left, or until the workflow gets another value than the one
 * that came of it, such as by undo.
 */
export function useDraft(saved: string) {
  const [draft, setDraft] = useState<{ readonly text: string; readonly saved: string }>();
  const isTyping = draft !== undefined && draft.saved === saved;
  return {
    text: isTyping ? draft.text : saved,
    isTyping,
    /** `becomes` is what the workflow has for it then. */
    setDraft: (text: string, becomes: string) => setDraft({ text, saved: becomes }),
    endDraft: () => setDraft(undefined),
  };
}
