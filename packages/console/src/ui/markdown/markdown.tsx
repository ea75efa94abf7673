import type { Root } from 'hast';
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { useEffect, useState } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';

import { useMessages } from '../../i18n/i18n.tsx';
import { Skeleton } from '../states.tsx';
import { MARKDOWN_PARTS } from './markdown-parts.tsx';
import { parseMarkdown } from './parse-markdown.ts';

/** Untrusted Markdown: HTML is removed, pictures become links, links are external. */
export function Markdown({ text }: { readonly text: string }) {
  const { common } = useMessages();
  const [parsed, setParsed] = useState<{ readonly of: string; readonly tree?: Root }>();
  useEffect(() => {
    const ending = new AbortController();
    parseMarkdown(text, ending.signal).then(
      (tree) => setParsed({ of: text, tree }),
      () => !ending.signal.aborted && setParsed({ of: text }),
    );
    return () => ending.abort();
  }, [text]);
  if (parsed?.of !== text) return <Skeleton className="h-24" />;
  if (!parsed.tree) {
    return (
      <>
        <p className="mb-2 text-13 text-muted">{common.plainText}</p>
        <pre className="font-mono text-12 whitespace-pre-wrap wrap-anywhere">{text}</pre>
      </>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-3 leading-relaxed wrap-anywhere">
      {toJsxRuntime(parsed.tree, { Fragment, jsx, jsxs, components: MARKDOWN_PARTS })}
    </div>
  );
}
