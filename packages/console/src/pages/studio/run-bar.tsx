import type { GenerationPrice } from '@atelier/sdk';
import { useQuery } from '@tanstack/react-query';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import type { Tool } from './tools.ts';

interface Props {
  readonly tool: Tool;
  readonly price: GenerationPrice | undefined;
  /** Why it cannot run now. */
  readonly obstacle: string | undefined;
  /** The price list also lists the models. */
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly onRun: () => void;
}

/** The button with the price and the remaining balance. */
export function RunBar({ tool, price, obstacle, isReady, isBusy, onRun }: Props) {
  const { studio } = useMessages();
  const format = useFormat();
  const { data: balance } = useQuery({
    queryKey: ['credits', 'balance'],
    queryFn: async ({ signal }) => await atelier.credits.balance({ signal }),
  });
  const { data: vendors = [] } = useQuery({
    queryKey: ['vendors'],
    queryFn: async ({ signal }) => await atelier.generation.vendors({ signal }),
    staleTime: 600_000,
  });
  // Only video vendors have models.
  const vendor = vendors.find(({ models }) => (models !== undefined) === (tool === 'video'));
  const cost = price && (price.credits === 0 ? studio.free : studio.cost(price.credits));
  const isPoor = price !== undefined && balance !== undefined && price.credits > balance;
  const note = obstacle ?? (isPoor ? studio.notEnough : undefined);
  return (
    <div className="sticky bottom-14 z-10 -mx-4 flex flex-col gap-1.5 border-t border-line bg-surface px-4 py-3 sm:bottom-0">
      <Button
        look="primary"
        className="w-full"
        isBusy={isBusy}
        disabled={note !== undefined || !isReady}
        onClick={onRun}
        aria-describedby="studio-cost"
      >
        {studio.run[tool]}
        {cost !== undefined && (
          <span className="font-normal">· {price?.isUpperBound ? studio.atMost(cost) : cost}</span>
        )}
      </Button>
      <p id="studio-cost" className="text-center text-12 text-muted">
        {note ??
          (price && balance !== undefined && price.credits > 0
            ? studio.creditsLeft(format.number(balance), format.number(balance - price.credits))
            : (vendor?.local && studio.localStandIn) || ' ')}
      </p>
    </div>
  );
}
