import { cx } from '../../ui/class-names.ts';

interface Props {
  readonly name: string;
  readonly icon?: string | undefined;
  readonly size?: 'md' | 'lg';
}

/** The icon of a pack or publisher if this server hosts it, else its first letter. Pages load nothing from other hosts. */
export function PackIcon({ name, icon, size = 'md' }: Props) {
  const place = cx('shrink-0 rounded-md border border-line', size === 'lg' ? 'size-14' : 'size-10');
  const isOurs = icon !== undefined && URL.canParse(icon) && new URL(icon).origin === location.origin;
  if (isOurs) return <img src={icon} alt="" loading="lazy" className={cx(place, 'object-cover')} />;
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '?';
  return (
    <span
      aria-hidden
      className={cx(
        place,
        'flex items-center justify-center bg-hover font-semibold text-muted',
        size === 'lg' ? 'text-20' : 'text-16',
      )}
    >
      {letter}
    </span>
  );
}
