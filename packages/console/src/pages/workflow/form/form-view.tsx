import { useRef } from 'react';

import { CodeTabs } from './code-tabs.tsx';
import { InputsPanel } from './inputs-panel.tsx';
import { ResultPanel } from './result-panel.tsx';
import { RunBar } from './run-bar.tsx';

/** The workflow as a form: inputs next to the result. */
export function FormView() {
  const result = useRef<HTMLDivElement>(null);
  const showResult = () => {
    // Side by side it is already visible.
    if (matchMedia('(max-width: 859px)').matches) result.current?.scrollIntoView({ behavior: 'smooth' });
  };
  return (
    <div className="grid min-w-0 md:grid-cols-[minmax(280px,340px)_minmax(0,1fr)] lg:grid-cols-[minmax(340px,400px)_minmax(0,1fr)]">
      <div className="scroll-quiet flex min-w-0 flex-col justify-between border-line px-4 pt-5 sm:px-6 md:sticky md:top-14 md:h-[calc(100dvh-3.5rem)] md:overflow-y-auto md:border-r">
        <div className="pb-6">
          <InputsPanel />
        </div>
        <RunBar onRun={showResult} />
      </div>
      <div ref={result} className="flex min-w-0 scroll-mt-14 flex-col gap-8 px-4 py-5 sm:px-6">
        <ResultPanel />
        <CodeTabs />
      </div>
    </div>
  );
}
