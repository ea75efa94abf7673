import { Link } from '@tanstack/react-router';

import { useMessages } from '../../i18n/i18n.tsx';
import { useActiveJobs } from '../../live/active-jobs.ts';
import type { JobListFilter } from './use-job-list.ts';

const STATES = [undefined, 'active', 'completed', 'failed', 'cancelled'] as const;

/** The states as links, so that each has its own address. */
export function StateTabs({ filter }: { readonly filter: JobListFilter }) {
  const { jobs: texts, common } = useMessages();
  const { data: active = [] } = useActiveJobs();
  const { status: _, ...others } = filter;
  const word = (status: (typeof STATES)[number]) => {
    if (status === undefined) return texts.anyState;
    return status === 'active' ? texts.active : common.states[status];
  };
  return (
    <nav aria-label={texts.state} className="scroll-quiet -mb-px -ml-2.5 flex gap-1 overflow-x-auto">
      {STATES.map((status) => (
        <Link
          key={word(status)}
          to="/jobs"
          search={status ? { ...others, status } : others}
          activeOptions={{ exact: true }}
          className="flex h-10 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2.5 text-13 font-medium whitespace-nowrap text-muted hover:text-text focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-text"
        >
          {word(status)}
          {status === 'active' && active.length > 0 && (
            <span className="min-w-5 rounded-full bg-accent-soft px-1.5 text-center text-12 text-accent tabular-nums">
              {active.length}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
