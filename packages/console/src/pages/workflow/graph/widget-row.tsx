import { CircleAlert } from 'lucide-react';
import { memo } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { cx } from '../../../ui/class-names.ts';
import { Tooltip } from '../../../ui/tooltip.tsx';
import type { Widget } from '../document/workflow-nodes.ts';
import { ChoiceBox, ChoiceWidget } from './choice-widget.tsx';
import { FileWidget } from './file-widget.tsx';
import { useGraph } from './node-states.ts';
import { NumberWidget } from './number-widget.tsx';
import { BooleanWidget, ColorWidget, JsonWidget, TextAreaWidget, TextWidget } from './simple-widgets.tsx';
import { widgetKind } from './widget-kind.ts';

export interface WidgetProps {
  readonly widget: Widget;
  readonly label: string;
  readonly onValue: (value: unknown) => void;
}

interface Props {
  readonly nodeId: string;
  readonly widget: Widget;
  readonly height: number;
  /** Whether the seed control can be set here. */
  readonly hasControl: boolean;
  readonly problem: string | undefined;
}

/** A value of a node with its name. */
export const WidgetRow = memo(({ nodeId, widget, height, hasControl, problem }: Props) => {
  const { graph } = useMessages();
  const { actions } = useGraph();
  const label = widget.label ?? widget.name;
  const props = { widget, label, onValue: (value: unknown) => actions.setValue(nodeId, widget.name, value) };
  return (
    <div className="relative px-3 py-px" style={{ height }}>
      {widget.isLinked ? (
        <div className="flex h-full items-center text-12 text-muted">
          <span className="truncate">{label}</span>
          <span className="sr-only">{graph.isLinked}</span>
        </div>
      ) : (
        <div
          className={cx(
            'flex min-w-0 rounded-sm',
            hasControl ? 'h-[22px]' : 'h-full',
            problem !== undefined && 'outline-2 outline-failed outline-solid',
          )}
        >
          <Control {...props} />
        </div>
      )}
      {hasControl && <ControlAfterRun nodeId={nodeId} widget={widget} />}
      {problem !== undefined && (
        <Tooltip text={problem}>
          <span
            role="img"
            aria-label={problem}
            tabIndex={0}
            className="absolute top-1 right-0 rounded-full text-failed"
          >
            <CircleAlert size={14} aria-hidden className="rounded-full bg-surface" />
          </span>
        </Tooltip>
      )}
    </div>
  );
});

const CONTROLS = ['fixed', 'increment', 'decrement', 'randomize'] as const;

function ControlAfterRun({ nodeId, widget }: Pick<Props, 'nodeId' | 'widget'>) {
  const { graph } = useMessages();
  const { actions } = useGraph();
  const { control = 'fixed' } = widget;
  const offered = CONTROLS.some((each) => each === control) ? CONTROLS : [...CONTROLS, control];
  const chosen = graph.controls[control];
  return (
    <div className="mt-0.5 h-[22px]">
      <ChoiceBox
        label={graph.afterRun}
        shown={chosen}
        choices={offered.map((each) => graph.controls[each])}
        value={chosen}
        onValue={(label) => {
          const found = offered.find((each) => graph.controls[each] === label);
          if (found) actions.setControl(nodeId, widget.name, found);
        }}
      />
    </div>
  );
}

function Control(props: WidgetProps) {
  const kind = widgetKind(props.widget.input);
  switch (kind) {
    case 'int':
    case 'float':
      return <NumberWidget {...props} />;
    case 'text':
      return <TextWidget {...props} />;
    case 'multiline':
      return <TextAreaWidget {...props} />;
    case 'boolean':
      return <BooleanWidget {...props} />;
    case 'choice':
    case 'choices':
      return <ChoiceWidget {...props} />;
    case 'color':
      return <ColorWidget {...props} />;
    case 'image':
    case 'video':
    case 'audio':
    case 'file':
      return <FileWidget {...props} kind={kind} />;
    case 'json':
      return <JsonWidget {...props} />;
  }
}
