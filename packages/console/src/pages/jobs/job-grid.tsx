import type { Job } from '@atelier/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';

import { useMessages } from '../../i18n/i18n.tsx';
import { cx } from '../../ui/class-names.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { Checkbox } from '../../ui/switch.tsx';
import { JobRow } from './job-row.tsx';
import type { Selection } from './use-selection.ts';

interface Props {
  readonly jobs: readonly Job[];
  readonly selection: Selection;
  readonly hasMore: boolean;
  /** Called when the end of the list comes near. */
  readonly onMore: () => void;
  readonly onCancel: (ids: readonly string[]) => void;
}

const ROW_HEIGHT = 64;
/** How many rows before the end more are loaded. */
const NEAR_END = 20;
export const COLUMNS =
  'grid grid-cols-[36px_48px_minmax(0,1fr)_44px] items-center gap-x-3 md:grid-cols-[36px_48px_minmax(0,1fr)_150px_84px_110px_44px]';

/** The list as a grid in which one row has the focus. Only visible rows are rendered. */
export function JobGrid({ jobs, selection, hasMore, onMore, onCancel }: Props) {
  const { jobs: texts } = useMessages();
  const navigate = useNavigate();
  const keysId = useId();
  const body = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string>();
  const [top, setTop] = useState(0);
  useEffect(() => {
    const measure = () =>
      setTop(body.current ? body.current.getBoundingClientRect().top + window.scrollY : 0);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  // oxlint-disable-next-line react/incompatible-library -- none of it is passed to memoized components.
  const virtual = useWindowVirtualizer({
    count: jobs.length,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => jobs[index]?.id ?? index,
    overscan: 8,
    scrollMargin: top,
    // The header sticks to the top of the window and must not hide the row.
    scrollPaddingStart: 120,
    scrollPaddingEnd: 80,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastShown >= jobs.length - NEAR_END) onMore();
  }, [hasMore, lastShown, jobs.length, onMore]);

  const at = Math.max(
    0,
    jobs.findIndex(({ id }) => id === current),
  );
  const focusRow = (index: number) => {
    const job = jobs[Math.min(jobs.length - 1, Math.max(0, index))];
    if (!job) return undefined;
    setCurrent(job.id);
    virtual.scrollToIndex(jobs.indexOf(job), { align: 'auto' });
    // The row may not be rendered before the list has scrolled.
    requestAnimationFrame(() => rowOf(body.current, job.id)?.focus({ preventScroll: true }));
    return job.id;
  };
  const press = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, target } = event;
    const isInRow = target instanceof HTMLElement && target.getAttribute('role') === 'row';
    const job = jobs[at];
    if (!isInRow || !job) return;
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 10, PageUp: -10 }[key];
    if (step !== undefined) {
      const reached = focusRow(at + step);
      if (shiftKey && reached !== undefined) selection.extendTo(reached);
    } else if (key === 'Home' || key === 'End') focusRow(key === 'Home' ? 0 : jobs.length - 1);
    else if (key === ' ') selection.toggle(job.id);
    else if (key === 'Enter') void navigate({ to: '/jobs/$jobId', params: { jobId: job.id } });
    else if (key === 'a' && (ctrlKey || metaKey)) selection.all();
    else if (key === 'Escape') selection.clear();
    else if (key === 'Delete') onCancel(selection.selected.size > 0 ? [...selection.selected] : [job.id]);
    else return;
    event.preventDefault();
  };
  const click = (event: MouseEvent, id: string) => {
    if (!event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    selection.extendTo(id);
  };
  const { size } = selection.selected;
  return (
    <>
      <p id={keysId} className="sr-only">
        {texts.keys}
      </p>
      <div
        role="grid"
        aria-label={texts.title}
        aria-multiselectable
        aria-rowcount={hasMore ? -1 : jobs.length + 1}
        aria-describedby={keysId}
        tabIndex={-1}
        onKeyDown={press}
        className="rounded-md border border-line bg-surface"
      >
        <div role="rowgroup" className="border-b border-line">
          <div role="row" aria-rowindex={1} className={cx(COLUMNS, 'h-9 text-13 font-medium text-muted')}>
            <div role="columnheader" className="flex pl-3">
              <Checkbox
                isOn={jobs.length > 0 && size === jobs.length}
                isPartly={size > 0 && size < jobs.length}
                onValue={(isOn) => (isOn ? selection.all() : selection.clear())}
                label={texts.selectAll}
              />
            </div>
            <div role="columnheader" className="col-span-2">
              {texts.name}
            </div>
            <div role="columnheader" className="max-md:hidden">
              {texts.state}
            </div>
            <div role="columnheader" className="text-right max-md:hidden">
              {texts.duration}
            </div>
            <div role="columnheader" className="text-right max-md:hidden">
              {texts.when}
            </div>
            <div role="columnheader">
              <span className="sr-only">{texts.actions}</span>
            </div>
          </div>
        </div>
        <div ref={body} role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const job = jobs[index];
            if (!job) return null;
            const isSelected = selection.selected.has(job.id);
            return (
              <div
                key={key}
                role="row"
                data-job={job.id}
                aria-rowindex={index + 2}
                aria-selected={isSelected}
                tabIndex={index === at ? 0 : -1}
                onFocus={() => setCurrent(job.id)}
                onClickCapture={(event) => click(event, job.id)}
                className={cx(
                  COLUMNS,
                  'absolute inset-x-0 top-0 border-b border-line focus-visible:-outline-offset-2',
                  isSelected ? 'bg-accent-soft' : 'hover:bg-hover/60',
                )}
                style={{ height: ROW_HEIGHT, transform: `translateY(${start - top}px)` }}
              >
                <JobRow
                  job={job}
                  isSelected={isSelected}
                  isCurrent={index === at}
                  onToggle={() => selection.toggle(job.id)}
                />
              </div>
            );
          })}
        </div>
        {hasMore && (
          <p className="flex h-12 items-center justify-center gap-2 text-13 text-muted">
            <Spinner />
            {texts.loadingMore}
          </p>
        )}
      </div>
    </>
  );
}

function rowOf(body: HTMLElement | null, id: string): HTMLElement | null {
  return body?.querySelector<HTMLElement>(`[data-job="${CSS.escape(id)}"]`) ?? null;
}
