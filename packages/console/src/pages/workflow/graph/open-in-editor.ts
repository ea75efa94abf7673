/** The only workspace of an editor without a sign-in at its maker's service. */
const WORKSPACE = 'personal';
const LAST_OPEN = `Comfy.Workflow.LastOpenPaths:${WORKSPACE}`;

/**
 * Opens a saved workflow in the stock editor, in a new tab. The editor has no address for one of its files, but restores the tabs that the
 * session storage names; the version of the editor is pinned, so these names are stable. Its previous tabs are kept, because they may contain
 * unsaved changes.
 */
export function openInEditor(savedId: string): boolean {
  const tab = window.open('about:blank', '_blank');
  if (!tab) return false;
  const path = `workflows/${savedId}`;
  const others = readLastOpen().filter((other) => other !== path);
  const client = `console-${Math.random().toString(36).slice(2)}`;
  const { sessionStorage: storage } = tab;
  storage.setItem('clientId', client);
  storage.setItem(`Comfy.Workflow.ActivePath:${client}`, JSON.stringify({ workspaceId: WORKSPACE, path }));
  storage.setItem(
    `Comfy.Workflow.OpenPaths:${client}`,
    JSON.stringify({ workspaceId: WORKSPACE, paths: [...others, path], activeIndex: others.length }),
  );
  tab.location.replace('/editor/');
  return true;
}

function readLastOpen(): string[] {
  try {
    const { paths } = JSON.parse(localStorage.getItem(LAST_OPEN) ?? '{}') as { paths?: unknown };
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
  } catch {
    // The editor ignores values it cannot read, too.
    return [];
  }
}
