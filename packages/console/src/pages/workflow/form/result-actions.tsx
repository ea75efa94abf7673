import type { JobOutput } from '@atelier/sdk';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, Columns2, Copy, Download, ImageUp, ListChecks } from 'lucide-react';
import { useMemo } from 'react';

import { atelier } from '../../../atelier.ts';
import { useMessages } from '../../../i18n/i18n.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { showErrorToast, showToast } from '../../../ui/toasts.tsx';
import { findFormInputs } from '../document/form-inputs.ts';
import { useWorkflowModel } from '../workflow-model.ts';
import { LANGUAGES, useCodeWriter } from './code-tabs.tsx';
import { mediaKindOf } from './media-view.tsx';

interface Props {
  readonly jobId: string;
  /** The shown file; absent while there is none. */
  readonly output: JobOutput | undefined;
  readonly others: readonly string[];
  readonly comparedId: string | undefined;
  readonly onCompare: (jobId: string | undefined) => void;
}

/** The actions on a result. The bar is always rendered, so that nothing moves. */
export function ResultActions({ jobId, output, others, comparedId, onCompare }: Props) {
  const { workflow: texts } = useMessages();
  const isPicture = output !== undefined && mediaKindOf(output.type) === 'picture';
  const [other] = others;
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-1.5">
      {output && (
        <a
          href={output.url}
          download={output.name}
          className="inline-flex h-7 items-center gap-1.5 rounded-md border border-edge/60 bg-surface px-2 text-13 font-medium hover:bg-hover"
        >
          <Download size={14} aria-hidden />
          {texts.download}
        </a>
      )}
      {output && <UseAsInput output={output} />}
      {isPicture && other !== undefined && (
        <Button
          size="sm"
          icon={<Columns2 size={14} aria-hidden />}
          aria-pressed={comparedId !== undefined}
          onClick={() => onCompare(comparedId === undefined ? other : undefined)}
        >
          {comparedId === undefined ? texts.compare : texts.endCompare}
        </Button>
      )}
      <CopyAs />
      <ButtonLink
        size="sm"
        look="quiet"
        to="/jobs/$jobId"
        params={{ jobId }}
        icon={<ListChecks size={14} aria-hidden />}
        className="sm:ml-auto"
      >
        {texts.openJob}
      </ButtonLink>
    </div>
  );
}

function UseAsInput({ output }: { readonly output: JobOutput }) {
  const { workflow: texts } = useMessages();
  const { json, nodes, setValue } = useWorkflowModel();
  const navigate = useNavigate();
  const kind = mediaKindOf(output.type);
  const fitting = useMemo(() => {
    const { main, advanced } = findFormInputs(json, nodes);
    return [...main, ...advanced.flatMap(({ inputs }) => inputs)].filter((input) => input.kind === kind);
  }, [json, nodes, kind]);
  const setInput = async (nodeId: string, input: string) => {
    const { loader_path: path, name } = await atelier.assets.get(output.id);
    setValue(nodeId, input, path ?? name);
    showToast(texts.usedAsInput);
  };
  return (
    <Menu
      align="start"
      trigger={
        <Button size="sm" icon={<ImageUp size={14} aria-hidden />}>
          {texts.useAsInput}
          <ChevronDown size={13} aria-hidden />
        </Button>
      }
      groups={[
        fitting.map(({ node, widget, label, detail }) => ({
          label: texts.forInput(detail ?? label),
          onSelect: () => void setInput(node.id, widget.name).catch(showErrorToast),
        })),
        [
          {
            label: texts.inStudio,
            onSelect: () => void navigate({ to: '/studio', search: { asset: output.id } }),
          },
        ],
      ]}
    />
  );
}

function CopyAs() {
  const { workflow: texts } = useMessages();
  const write = useCodeWriter();
  const copy = async (language: (typeof LANGUAGES)[number]) => {
    await navigator.clipboard.writeText(write(language) ?? '');
    showToast(texts.copiedAs(texts.languages[language]));
  };
  return (
    <Menu
      align="start"
      trigger={
        <Button size="sm" icon={<Copy size={14} aria-hidden />}>
          {texts.copyAs}
          <ChevronDown size={13} aria-hidden />
        </Button>
      }
      groups={[
        LANGUAGES.map((language) => ({
          label: texts.languages[language],
          onSelect: () => void copy(language).catch(showErrorToast),
        })),
      ]}
    />
  );
}
