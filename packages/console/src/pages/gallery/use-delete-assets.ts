import type { Asset } from '@atelier/sdk';
import { useCallback } from 'react';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { queryClient } from '../../query-client.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';

/** How many one request takes. */
export const BATCH_SIZE = 500;

/** Asks for confirmation, deletes, and returns whether it was done. */
export function useDeleteAssets(onDeleted: (ids: readonly string[]) => void) {
  const { gallery, common } = useMessages();
  const format = useFormat();
  const confirm = useConfirm();
  return useCallback(
    async (assets: readonly Asset[]): Promise<boolean> => {
      const [first] = assets;
      if (!first) return false;
      const size = format.bytes(assets.reduce((sum, asset) => sum + (asset.size ?? 0), 0));
      const isSure = await confirm({
        title: assets.length === 1 ? gallery.deleteOne : gallery.deleteMany(assets.length),
        description: gallery.deleteLoses(first.name, assets.length - 1, size),
        action: common.delete,
      });
      if (!isSure) return false;
      try {
        for (let from = 0; from < assets.length; from += BATCH_SIZE) {
          const ids = assets.slice(from, from + BATCH_SIZE).map(({ id }) => id);
          await atelier.assets.deleteMany(ids);
          onDeleted(ids);
        }
        showToast(gallery.deleted(assets.length));
        return true;
      } catch (error) {
        showErrorToast(error);
        return false;
      } finally {
        await queryClient.invalidateQueries({ queryKey: ['assets'] });
      }
    },
    [gallery, common, format, confirm, onDeleted],
  );
}
