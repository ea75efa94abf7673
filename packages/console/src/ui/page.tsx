import { type ReactNode, useEffect, useRef } from 'react';

import { cx } from './class-names.ts';

interface Props {
  readonly title: ReactNode;
  /** Filters and the like, beside the title. */
  readonly tools?: ReactNode;
  /** The primary action, at the end. */
  readonly action?: ReactNode;
  /** Forms are narrow; pictures use the full width. */
  readonly isNarrow?: boolean;
  /** Without a margin, for content that fills the window. */
  readonly isBare?: boolean;
  readonly children: ReactNode;
}

const PRODUCT = 'Atelier';

/** A page: its title line and its content. */
export function Page({ title, tools, action, isNarrow = false, isBare = false, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Only the first part, because the rest describes a state and is not part of the name.
    const name = heading.current?.firstChild?.textContent ?? '';
    document.title = name === '' ? PRODUCT : `${name} · ${PRODUCT}`;
  });
  return (
    <div className="flex min-h-full min-w-0 flex-col">
      <header className="sticky top-0 z-20 flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-canvas/95 px-4 py-2 backdrop-blur-sm sm:px-6">
        {/* A long title shrinks in favor of the tools next to it. */}
        <h1 ref={heading} className="min-w-0 grow basis-24 truncate text-16 font-semibold">
          {title}
        </h1>
        {tools}
        {action}
      </header>
      <div className={cx('min-w-0 grow', !isBare && 'px-4 py-5 sm:px-6', isNarrow && 'w-full max-w-240')}>
        {children}
      </div>
    </div>
  );
}

/** A part of a page with a heading of its own. */
export function Section({
  title,
  action,
  children,
}: {
  readonly title: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="mb-8 min-w-0">
      <div className="mb-3 flex min-h-7 items-center justify-between gap-4">
        <h2 className="text-14 font-semibold">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

/** A surface with a border. */
export function Panel({
  className,
  children,
}: {
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return <div className={cx('min-w-0 rounded-md border border-line bg-surface', className)}>{children}</div>;
}
