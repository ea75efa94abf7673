import { Skeleton } from '../../../ui/states.tsx';

/** The workflow as a graph. */
export function GraphView() {
  return <Skeleton className="h-full" />;
}
