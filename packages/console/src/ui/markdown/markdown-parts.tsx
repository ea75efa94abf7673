import type { Components } from 'hast-util-to-jsx-runtime';
import { Image, Square, SquareCheck } from 'lucide-react';
import type { ReactNode } from 'react';

import { cx } from '../class-names.ts';
import { externalLink } from './external-link.ts';

interface LinkProps {
  readonly href: string | undefined;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

/** An external link. Links that cannot work here, such as to a file of the pack, become plain text. */
function OutsideLink({ href, title, children }: LinkProps) {
  const address = externalLink(href);
  if (address === undefined) return <span title={title}>{children}</span>;
  return (
    <a
      href={address}
      title={title}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent underline underline-offset-2 hover:text-accent-hover"
    >
      {children}
    </a>
  );
}

/** Wide content, focusable so that the keyboard can scroll it. */
function Scrolling({ children }: { readonly children: ReactNode }) {
  return (
    <div
      tabIndex={0}
      role="group"
      className="scroll-quiet min-w-0 overflow-x-auto rounded-md border border-line"
    >
      {children}
    </div>
  );
}

/** The elements of rendered Markdown. Headings are one level lower, below that of the page. */
export const MARKDOWN_PARTS: Partial<Components> = {
  a: ({ href, title, children }) => (
    <OutsideLink href={href} title={title}>
      {children}
    </OutsideLink>
  ),
  // Loading a picture would reveal the reader to its host.
  img: ({ src, alt, title }) => (
    <OutsideLink href={src} title={title}>
      <Image size={14} aria-hidden className="mr-1 inline align-[-2px]" />
      {alt || src?.split('/').at(-1) || src}
    </OutsideLink>
  ),
  // Of a list of tasks.
  input: ({ checked }) =>
    checked ? (
      <SquareCheck size={14} role="img" aria-label="✓" className="mr-1.5 inline align-[-2px]" />
    ) : (
      <Square size={14} aria-hidden className="mr-1.5 inline align-[-2px]" />
    ),
  h1: ({ children }) => <h2 className="mt-1 text-20 leading-snug font-semibold">{children}</h2>,
  h2: ({ children }) => <h3 className="mt-4 border-b border-line pb-1 text-16 font-semibold">{children}</h3>,
  h3: ({ children }) => <h4 className="mt-2 text-14 font-semibold">{children}</h4>,
  h4: ({ children }) => <h5 className="font-semibold">{children}</h5>,
  h5: ({ children }) => <h6 className="font-semibold">{children}</h6>,
  h6: ({ children }) => <h6 className="font-semibold text-muted">{children}</h6>,
  ul: ({ children, className }) => (
    <ul className={cx('space-y-1', className === 'contains-task-list' ? 'pl-1' : 'list-disc pl-6')}>
      {children}
    </ul>
  ),
  ol: ({ children, start }) => (
    <ol start={start} className="list-decimal space-y-1 pl-6">
      {children}
    </ol>
  ),
  blockquote: ({ children }) => (
    <blockquote className="flex flex-col gap-2 border-l-2 border-edge pl-4 text-muted">{children}</blockquote>
  ),
  hr: () => <hr className="my-2 border-t border-line" />,
  code: ({ children }) => (
    <code className="rounded-sm bg-hover px-1 py-0.5 font-mono text-12 in-[pre]:bg-transparent in-[pre]:p-0">
      {children}
    </code>
  ),
  pre: ({ children }) => (
    <Scrolling>
      <pre className="w-max min-w-full bg-canvas p-3 text-12 leading-relaxed">{children}</pre>
    </Scrolling>
  ),
  table: ({ children }) => (
    <Scrolling>
      <table className="w-full border-collapse text-13">{children}</table>
    </Scrolling>
  ),
  th: ({ children, style }) => (
    <th style={style} className="border-b border-line bg-hover/60 px-3 py-1.5 text-left font-medium">
      {children}
    </th>
  ),
  td: ({ children, style }) => (
    <td style={style} className="border-b border-line px-3 py-1.5 align-top in-[tr:last-child]:border-b-0">
      {children}
    </td>
  ),
};
