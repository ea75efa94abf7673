import type { Asset } from '@atelier/sdk';
import { useNavigate } from '@tanstack/react-router';
import { Clapperboard, Lightbulb, Sparkles, WandSparkles, Workflow } from 'lucide-react';

import { useMessages } from '../../i18n/i18n.tsx';
import { Menu } from '../../ui/menu.tsx';
import { kindOf, mayHaveWorkflow } from './asset-facts.ts';

interface Props {
  readonly asset: Asset;
  readonly className: string;
  readonly tabIndex?: number;
}

/** Where a file can be used as input: the tools of the studio, and its workflow. */
export function UseAsInput({ asset, className, tabIndex }: Props) {
  const { gallery, studio } = useMessages();
  const navigate = useNavigate();
  const isPicture = kindOf(asset) === 'picture';
  const tool = (name: 'skin' | 'relight' | 'video', Icon: typeof Sparkles) => ({
    label: studio.tools[name],
    icon: <Icon size={15} aria-hidden className="text-muted" />,
    onSelect: () => void navigate({ to: '/studio', search: { tool: name, asset: asset.id } }),
  });
  const { job_id: job } = asset;
  const workflow = {
    label: gallery.openWorkflow,
    icon: <Workflow size={15} aria-hidden className="text-muted" />,
    onSelect: () =>
      void navigate({ to: '/workflows/open', search: job === undefined ? { asset: asset.id } : { job } }),
  };
  if (!isPicture && !mayHaveWorkflow(asset)) return null;
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`${gallery.useAsInput}: ${asset.name}`}
          title={gallery.useAsInput}
          tabIndex={tabIndex}
          className={className}
        >
          <WandSparkles size={15} aria-hidden />
        </button>
      }
      groups={[
        isPicture ? [tool('skin', Sparkles), tool('relight', Lightbulb), tool('video', Clapperboard)] : [],
        mayHaveWorkflow(asset) ? [workflow] : [],
      ]}
    />
  );
}
