import { ShieldCheck, Users } from 'lucide-react';

import { useMessages } from '../../i18n/i18n.tsx';
import { useMe } from '../../session.ts';
import { ButtonLink } from '../../ui/button.tsx';

/** Links to the other pages of the registry. */
export function RegistryLinks() {
  const { registry } = useMessages();
  const { role } = useMe();
  return (
    <nav aria-label={registry.title} className="flex gap-2">
      {role === 'admin' && (
        <ButtonLink to="/registry/review" look="quiet" icon={<ShieldCheck size={15} aria-hidden />}>
          {registry.review}
        </ButtonLink>
      )}
      <ButtonLink to="/registry/publishers" look="quiet" icon={<Users size={15} aria-hidden />}>
        {registry.publishers}
      </ButtonLink>
    </nav>
  );
}
