import { hasModel, type WorkerOffer } from './abilities.ts';
import type { JobNeeds } from './job-needs.ts';

const MAX_NAMED = 3;

/** What a job needs that no connected worker has, as a sentence for its owner; `undefined` when a worker has everything. */
export function whatIsMissing(
  needs: JobNeeds,
  workers: readonly WorkerOffer[],
  hasNodeType: (hash: string, nodeType: string) => boolean,
): string | undefined {
  const { kind = 'built-in', labels, nodeTypes, models = [] } = needs;
  const missingAt = (worker: WorkerOffer): string[] => [
    ...labels
      .filter((label) => !worker.labels.includes(label) && worker.kind !== label)
      .map((label) => `the label ${label}`),
    ...models.filter((name) => !hasModel(worker.models, name)).map((name) => `the model ${name}`),
    ...nodeTypes
      // A worker that has not loaded its node types yet may have them.
      .filter((type) => worker.nodeTypes !== undefined && !hasNodeType(worker.nodeTypes, type))
      .map((type) => `the node type ${type}`),
  ];
  const ofKind = workers.filter((worker) => worker.kind === kind);
  const missing = ofKind.map(missingAt);
  const [closest] = missing.toSorted((one, other) => one.length - other.length);
  if (!closest)
    return kind === 'comfyui'
      ? 'Waiting for a ComfyUI worker to be ready.'
      : 'Waiting for a worker to be ready.';
  if (closest.length === 0) return undefined;
  const hasLabels = (worker: WorkerOffer): boolean => labels.every((label) => worker.labels.includes(label));
  const isAtComfyUi = !ofKind.some(hasLabels) && workers.some(hasLabels);
  if (kind === 'built-in' && isAtComfyUi)
    return `Waiting for a built-in worker that has the label ${labels.join(', ')}. To use a ComfyUI, ask for the label comfyui too.`;
  const named = closest.slice(0, MAX_NAMED).join(', ');
  const more = closest.length > MAX_NAMED ? ` and ${closest.length - MAX_NAMED} more` : '';
  const isSpread = closest.every((part) => missing.some((parts) => !parts.includes(part)));
  return isSpread
    ? `Waiting for a worker that has all it needs: the closest one lacks ${named}${more}.`
    : `Waiting for a worker that has ${named}${more}.`;
}
