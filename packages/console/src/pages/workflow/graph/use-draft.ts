import { useState } from 'react';

/**
 * The text being typed, which may be an incomplete number. It is kept until the field loses focus, or until the workflow gets a value other than the one
 * it produced, such as by undo.
 */
export function useDraft(saved: string) {
  const [draft, setDraft] = useState<{ readonly text: string; readonly saved: string }>();
  const isTyping = draft !== undefined && draft.saved === saved;
  return {
    text: isTyping ? draft.text : saved,
    isTyping,
    /** `becomes` is the resulting value in the workflow. */
    setDraft: (text: string, becomes: string) => setDraft({ text, saved: becomes }),
    endDraft: () => setDraft(undefined),
  };
}
