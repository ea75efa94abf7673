import type { ExampleWorkflow } from '@atelier/sdk';
import { Link } from '@tanstack/react-router';
import { Play } from 'lucide-react';

import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/states.tsx';

interface Props {
  readonly example: ExampleWorkflow;
  readonly isBusy: boolean;
  readonly isPrimary?: boolean;
  readonly onRun: (example: ExampleWorkflow) => void;
}

/** An example with its picture and a button that runs it. */
export function ExampleCard({ example, isBusy, isPrimary = false, onRun }: Props) {
  const { common, home } = useMessages();
  const { name, title, description, thumbnail } = example;
  return (
    <article className="flex min-w-0 flex-col overflow-hidden rounded-md border border-line bg-surface">
      <Link
        to="/workflows/open"
        search={{ example: name }}
        aria-label={home.open(title)}
        className="block aspect-16/10 overflow-hidden bg-hover focus-visible:-outline-offset-2"
      >
        <img src={thumbnail} alt="" loading="lazy" className="size-full object-cover" />
      </Link>
      <div className="flex grow flex-col gap-1 p-3">
        <h3 className="truncate font-medium">{title}</h3>
        <p className="line-clamp-2 grow text-13 text-muted">{description}</p>
        <Button
          look={isPrimary ? 'primary' : 'secondary'}
          size={isPrimary ? 'md' : 'sm'}
          className="mt-2 self-start"
          icon={<Play size={14} aria-hidden />}
          isBusy={isBusy}
          aria-label={home.runNamed(title)}
          onClick={() => onRun(example)}
        >
          {common.run}
        </Button>
      </div>
    </article>
  );
}

export function ExampleSkeleton() {
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface">
      <Skeleton className="aspect-16/10 rounded-none" />
      <div className="flex flex-col gap-2 p-3">
        <Skeleton className="h-5 w-1/2" />
        <Skeleton className="h-9" />
        <Skeleton className="h-8 w-20" />
      </div>
    </div>
  );
}
