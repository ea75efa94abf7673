import { atelier } from '../../atelier.ts';

/** Shares a saved workflow with everybody who can sign in here, and puts the link on the clipboard. */
export async function copyShareLink(savedId: string): Promise<void> {
  const shareId = await atelier.workflows.share(savedId);
  const link = new URL(
    `/console/workflows/open?${new URLSearchParams({ shared: shareId })}`,
    location.origin,
  );
  await navigator.clipboard.writeText(link.href);
}
