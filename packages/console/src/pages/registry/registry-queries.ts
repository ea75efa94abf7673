import { queryOptions, useQuery } from '@tanstack/react-query';

import { atelier } from '../../atelier.ts';
import { useMe } from '../../session.ts';

export const packQuery = (id: string) =>
  queryOptions({
    queryKey: ['packs', id],
    queryFn: async ({ signal }) => await atelier.registry.packs.get(id, { withTranslations: true, signal }),
  });

export const versionsQuery = (pack: string) =>
  queryOptions({
    queryKey: ['packs', pack, 'versions'],
    queryFn: async ({ signal }) => await atelier.registry.versions.list(pack, { signal }),
  });

export const myPublishersQuery = queryOptions({
  queryKey: ['publishers', 'mine'],
  queryFn: async ({ signal }) => await atelier.registry.publishers.mine({ signal }),
});

/** Whether you may change a publisher and its packs. */
export function useCanManage(publisherId: string | undefined): boolean {
  const me = useMe();
  const { data: mine } = useQuery(myPublishersQuery);
  const members = mine?.find(({ id }) => id === publisherId)?.members ?? [];
  return me.role === 'admin' || members.some(({ user, role }) => user.id === me.id && role === 'owner');
}
