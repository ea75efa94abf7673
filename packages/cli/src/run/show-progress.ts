import type { JobEvent, Workflow } from '@atelier/sdk';

import type { Output } from '../output/create-output.ts';
import { formatDuration } from '../output/formats.ts';
import { createLiveDisplay } from '../output/live-display.ts';
import { plainLine } from '../output/plain-text.ts';
import type { TerminalPictures } from '../pictures/detect-pictures.ts';

const BAR = 20;
const NARROW = 60;

/** Draws the progress of a job on a terminal: a line for each node, the total, and the preview if the terminal shows pictures. */
export function createProgressView(
  output: Output,
  {
    workflow,
    pictures,
  }: { readonly workflow: Pick<Workflow, 'nodes'>; readonly pictures: TerminalPictures | undefined },
) {
  const display = createLiveDisplay(output.stderr);
  const names = new Map(workflow.nodes.map(({ id, title, type }) => [id, plainLine(title ?? type)]));
  const total = workflow.nodes.length;
  const beganAt = performance.now();
  let done = new Set<string>();
  let current: { readonly id: string; readonly at: number; value: number; max: number } | undefined;
  let message: string | undefined = 'Waiting in the queue';
  let picture: { readonly text: string; readonly rows: number } | undefined;
  const tick = setInterval(() => display.show(draw), 1000);

  const nameOf = (id: string): string => `${id} ${names.get(id) ?? ''}`.trim();
  const style = output.styledError;

  function finish(): void {
    if (!current) return;
    done.add(current.id);
    display.keep(
      `${style('green', '✓')} ${nameOf(current.id)} ${style('dim', formatDuration(performance.now() - current.at))}`,
    );
    current = undefined;
  }

  function draw() {
    const isNarrow = (output.stderr.columns || 80) < NARROW;
    const part = current && current.max > 0 ? current.value / current.max : 0;
    const whole = `${style('bold', percent((done.size + part) / Math.max(1, total)))} ${done.size} of ${total} nodes · ${formatDuration(performance.now() - beganAt)}`;
    const node =
      current &&
      `${isNarrow ? '' : `${bar(part)} `}${nameOf(current.id)}${current.max > 1 ? ` ${current.value}/${current.max}` : ''}`;
    return { lines: [node ?? message ?? '', whole].filter((line) => line !== ''), picture };
  }

  async function drawPreview(bytes: Uint8Array): Promise<void> {
    if (!pictures) return;
    const { drawPicture } = await import('../pictures/draw-picture.ts');
    picture = drawPicture(bytes, pictures) ?? picture;
  }

  display.show(draw);
  return {
    event(event: JobEvent): void {
      // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the others do not change what is shown
      switch (event.type) {
        case 'execution_start':
          if (event.attempt > 1) display.keep(style('yellow', 'Its worker was lost. The job begins again.'));
          done = new Set();
          current = undefined;
          message = undefined;
          break;
        case 'execution_cached':
          for (const id of event.data.nodes) done.add(id);
          if (event.data.nodes.length > 0)
            display.keep(style('dim', `${event.data.nodes.length} nodes have not changed`));
          break;
        case 'executing':
          finish();
          current = { id: event.data.node, at: performance.now(), value: 0, max: 1 };
          break;
        case 'progress':
          if (current?.id === event.data.node)
            Object.assign(current, { value: event.data.value, max: event.data.max });
          break;
        case 'preview':
          void drawPreview(event.bytes);
          break;
        case 'notification':
          message = plainLine(event.data.value);
          break;
        case 'execution_success':
          finish();
          break;
        default:
          break;
      }
      display.show(draw);
    },
    end(): void {
      clearInterval(tick);
      display.clear();
    },
    pause: display.pause,
    resume: display.resume,
  };
}

function bar(part: number): string {
  const full = Math.round(Math.min(1, Math.max(0, part)) * BAR);
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`;
}

function percent(part: number): string {
  return `${String(Math.floor(Math.min(1, part) * 100)).padStart(3)} %`;
}
