import type { ComponentProps } from 'react';
import ReactMarkdown from 'react-markdown';

const COMPONENTS: ComponentProps<typeof ReactMarkdown>['components'] = {
  h1: ({ children }) => <h4 className="mt-2 mb-1 text-16 font-semibold first:mt-0">{children}</h4>,
  h2: ({ children }) => <h5 className="mt-2 mb-1 text-14 font-semibold first:mt-0">{children}</h5>,
  h3: ({ children }) => <h6 className="mt-2 mb-1 text-13 font-semibold first:mt-0">{children}</h6>,
  p: ({ children }) => <p className="my-1">{children}</p>,
  ul: ({ children }) => <ul className="my-1 list-disc pl-5">{children}</ul>,
  ol: ({ children }) => <ol className="my-1 list-decimal pl-5">{children}</ol>,
  code: ({ children }) => <code className="rounded-sm bg-canvas px-1 font-mono text-12">{children}</code>,
  pre: ({ children }) => <pre className="my-1 overflow-x-auto rounded-sm bg-canvas p-2">{children}</pre>,
  a: ({ children, href }) => (
    <a href={href} target="_blank" rel="noreferrer noopener" className="text-accent underline">
      {children}
    </a>
  ),
};

/** Pictures are left out: a page of the server asks nobody else for anything. */
const LEFT_OUT = ['img'];

/** A note in Markdown. HTML in it is shown as it is written. */
export function NoteMarkdown({ text }: { readonly text: string }) {
  return (
    <ReactMarkdown components={COMPONENTS} disallowedElements={LEFT_OUT} unwrapDisallowed>
      {text}
    </ReactMarkdown>
  );
}
