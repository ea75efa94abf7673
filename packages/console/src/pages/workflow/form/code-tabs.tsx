import { useDeferredValue, useMemo, useState } from 'react';

import { atelier } from '../../../atelier.ts';
import { useMessages } from '../../../i18n/i18n.tsx';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { type CodeLanguage, toCode } from '../document/to-code.ts';
import { toPrompt } from '../document/to-prompt.ts';
import { useWorkflowModel } from '../workflow-model.ts';

export const LANGUAGES: readonly CodeLanguage[] = ['json', 'curl', 'typescript', 'python'];

/** This run as code, in sync with the form. */
export function CodeTabs() {
  const { workflow: texts } = useMessages();
  const [language, setLanguage] = useState<CodeLanguage>('json');
  // Edits may lag behind, but not the language, or a tab would show the code of another.
  const writer = useDeferredValue(useCodeWriter());
  const code = useMemo(() => writer(language), [writer, language]);
  return (
    <section aria-label={texts.code} className="min-w-0">
      <h2 className="mb-2 text-14 font-semibold">{texts.code}</h2>
      <Tabs
        label={texts.code}
        value={language}
        onValue={setLanguage}
        tabs={LANGUAGES.map((value) => ({
          value,
          label: texts.languages[value],
          content:
            code === undefined ? (
              <p className="text-13 text-muted">{texts.codeUnreadable}</p>
            ) : (
              <CodeBlock code={code} label={texts.languages[value]} />
            ),
        }))}
      />
    </section>
  );
}

/** The writer returns `undefined` while the workflow cannot be converted. */
export function useCodeWriter(): (language: CodeLanguage) => string | undefined {
  const { json, catalogue } = useWorkflowModel();
  return useMemo(
    () => (language) => {
      try {
        return toCode(language, { prompt: toPrompt(json, catalogue), serverUrl: atelier.url });
      } catch {
        // The run button shows why it cannot be read.
        return undefined;
      }
    },
    [json, catalogue],
  );
}
