import { LoaderCircle } from 'lucide-react';

/** A loading indicator. Text next to it says what is loading. */
export function Spinner({ size = 16 }: { readonly size?: number }) {
  return <LoaderCircle size={size} aria-hidden className="animate-spin" />;
}
