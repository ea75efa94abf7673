import { Collapsible } from '@base-ui/react/collapsible';
import { ChevronRight } from 'lucide-react';
import { useMemo } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { findFormInputs } from '../document/form-inputs.ts';
import { useWorkflowModel } from '../workflow-model.ts';
import { InputField } from './input-field.tsx';

/** The inputs that can be set: the main ones, and all others collapsed by node. */
export function InputsPanel() {
  const { workflow: texts } = useMessages();
  const { json, nodes, source } = useWorkflowModel();
  const { main, advanced } = useMemo(() => findFormInputs(json, nodes), [json, nodes]);
  const others = advanced.reduce((sum, { inputs }) => sum + inputs.length, 0);
  return (
    <section aria-label={texts.inputs} className="flex min-w-0 flex-col gap-5">
      {source.owner !== undefined && <p className="text-13 text-muted">{texts.sharedBy(source.owner)}</p>}
      {source.description !== undefined && <p className="text-13 text-muted">{source.description}</p>}
      {main.length === 0 && others === 0 && <p className="text-13 text-muted">{texts.noInputs}</p>}
      {main.map((input) => (
        <InputField key={input.key} input={input} />
      ))}
      {others > 0 && (
        <Collapsible.Root defaultOpen={main.length === 0}>
          <Collapsible.Trigger className="group flex h-9 w-full items-center gap-1.5 rounded-md text-13 font-medium text-muted hover:text-text">
            <ChevronRight
              size={15}
              aria-hidden
              className="transition-transform group-data-panel-open:rotate-90"
            />
            {texts.advanced(others)}
          </Collapsible.Trigger>
          <Collapsible.Panel className="flex flex-col">
            {advanced.map(({ node, inputs }) => (
              <fieldset key={node.id} className="min-w-0 border-t border-line py-4">
                <legend className="float-left mb-3 w-full text-12 font-medium text-muted">
                  {node.title} <span className="font-mono font-normal">#{node.id}</span>
                </legend>
                <div className="clear-both flex flex-col gap-4">
                  {inputs.map((input) => (
                    <InputField key={input.key} input={input} />
                  ))}
                </div>
              </fieldset>
            ))}
          </Collapsible.Panel>
        </Collapsible.Root>
      )}
    </section>
  );
}
