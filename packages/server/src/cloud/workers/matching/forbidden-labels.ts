import type { WorkerMessages } from '@atelier/contracts';

/** The labels of a worker that its token does not allow. Every worker of a ComfyUI has the label of its kind. */
export function forbiddenLabels(
  { kind, labels }: Pick<WorkerMessages['hello'], 'kind' | 'labels'>,
  allowed: readonly string[] | null | undefined,
): readonly string[] {
  if (!allowed) return [];
  return labels.filter((label) => !allowed.includes(label) && !(kind === 'comfyui' && label === kind));
}
