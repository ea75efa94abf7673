import { LoaderCircle } from 'lucide-react';

/** Something is under way. Words beside it say what. */
export function Spinner({ size = 16 }: { readonly size?: number }) {
  return <LoaderCircle size={size} aria-hidden className="animate-spin" />;
}
