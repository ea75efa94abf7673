import { Play } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { Button } from '../../../ui/button.tsx';
import { takePendingRun } from '../open-workflows.ts';
import { useWorkflowModel } from '../workflow-model.ts';
import { ProblemsNotice } from './problems-notice.tsx';

/** The run button, always visible, and what blocks it. */
export function RunBar({ onRun }: { readonly onRun: () => void }) {
  const { workflow: texts } = useMessages();
  const { run, isSubmitting, nodes, problems, source } = useWorkflowModel();
  const usesCredits = nodes.some(({ description, mode }) => mode === 'run' && description?.apiNode === true);
  const start = () => {
    run();
    onRun();
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    start();
  });
  useEffect(() => {
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const startWanted = useEffectEvent(() => {
    // Credits are spent only with the user's consent.
    if (takePendingRun(source.key) && problems.length === 0 && !usesCredits) start();
  });
  useEffect(() => startWanted(), []);
  return (
    <div className="sticky bottom-14 z-10 -mx-4 flex flex-col gap-2 border-t border-line bg-canvas px-4 py-3 sm:bottom-0 sm:-mx-6 sm:px-6">
      <ProblemsNotice />
      <Button
        look="primary"
        isBusy={isSubmitting}
        icon={<Play size={15} aria-hidden />}
        onClick={start}
        className="h-10 w-full"
      >
        {texts.run}
        <kbd aria-hidden className="hidden font-sans text-12 font-normal lg:inline">
          {texts.runHint}
        </kbd>
      </Button>
      {usesCredits && <p className="text-12 text-muted">{texts.usesCredits}</p>}
    </div>
  );
}
