/** Progress from 0 to 1; `undefined` if unknown. */
export function ProgressBar({
  fraction,
  label,
}: {
  readonly fraction: number | undefined;
  readonly label: string;
}) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(fraction === undefined ? {} : { 'aria-valuenow': Math.round(fraction * 100) })}
      className="h-1 w-full overflow-hidden rounded-full bg-edge/30"
    >
      <div
        className={`h-full rounded-full bg-accent transition-[width] ${fraction === undefined ? 'w-1/3 animate-pulse' : ''}`}
        style={fraction === undefined ? {} : { width: `${fraction * 100}%` }}
      />
    </div>
  );
}
