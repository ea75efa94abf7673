import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { type GraphNode, linkedNode, valueText } from './graph-nodes.ts';

const LOADS_PICTURE = /^LoadImage/;
const PICTURE = /\.(?:png|jpe?g|webp|gif|avif)$/i;

interface Props {
  readonly node: GraphNode;
  readonly value: unknown;
  readonly nodes: ReadonlyMap<string, GraphNode>;
}

/** The value of an input: a value, the picture it names, or the node it is linked to. */
export function InputValue({ node, value, nodes }: Props) {
  const { jobs: texts } = useMessages();
  const from = linkedNode(value, nodes);
  if (from) return <span className="text-muted">{texts.from(from.title)}</span>;
  const text = valueText(value);
  const isPicture = typeof value === 'string' && LOADS_PICTURE.test(node.type) && PICTURE.test(value);
  if (isPicture) {
    return (
      <>
        <InputPicture name={value} />
        <span title={text} className="max-w-full truncate">
          {text}
        </span>
      </>
    );
  }
  return <span className="wrap-anywhere whitespace-pre-wrap">{text}</span>;
}

function InputPicture({ name }: { readonly name: string }) {
  const [isGone, setGone] = useState(false);
  if (isGone) return null;
  return (
    <img
      src={atelier.files.url({ filename: name, type: 'input' }, { size: 256 })}
      alt=""
      loading="lazy"
      onError={() => setGone(true)}
      className="my-1 max-h-36 max-w-full rounded-sm"
    />
  );
}
