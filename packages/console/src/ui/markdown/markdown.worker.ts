import type { Nodes } from 'hast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

/** Larger documents would be slow to render, and only malicious ones are that large. */
const MAX_NODES = 20_000;
const MAX_DEPTH = 60;

// HTML in the text is dropped: `remarkRehype` keeps it only if told to.
const processor = unified().use(remarkParse).use(remarkGfm).use(remarkRehype);

addEventListener('message', ({ data }: MessageEvent<string>) => {
  const tree = processor.runSync(processor.parse(data));
  let left = MAX_NODES;
  const check = (node: Nodes, depth: number): void => {
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH)
      throw new Error('The text is nested too deeply or has too many parts.');
    delete node.position;
    if ('children' in node) for (const child of node.children) check(child, depth + 1);
  };
  check(tree, 0);
  postMessage(tree);
});
