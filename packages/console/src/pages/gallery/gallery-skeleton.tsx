import { Skeleton } from '../../ui/states.tsx';

const ROWS = [
  ['grow-3', 'grow-2', 'grow-4', 'grow-3'],
  ['grow-2', 'grow-4', 'grow-3', 'grow-2', 'grow-3'],
  ['grow-4', 'grow-3', 'grow-3'],
] as const;

/** Placeholder rows in the final layout. */
export function GallerySkeleton() {
  return (
    <div aria-busy className="flex flex-col gap-0.5 pt-7">
      {ROWS.map((widths, row) => (
        // oxlint-disable-next-line react/no-array-index-key -- they never change.
        <div key={row} className="flex h-36 gap-0.5 sm:h-52">
          {widths.map((width, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- as above.
            <Skeleton key={place} className={`basis-0 rounded-none ${width}`} />
          ))}
        </div>
      ))}
    </div>
  );
}
