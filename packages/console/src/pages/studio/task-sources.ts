const STORAGE_KEY = 'atelier.studio.sources';
/** The oldest are removed first. */
const MAX_KEPT = 300;

function read(): [task: string, asset: string][] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(value) ? (value as [string, string][]) : [];
  } catch {
    return [];
  }
}

/** The gallery file that a task was made from. The server keeps its input for only a day. */
export const taskSources = {
  note(task: string, asset: string): void {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([...read(), [task, asset]].slice(-MAX_KEPT)));
  },
  of: (task: string): string | undefined => read().find(([id]) => id === task)?.[1],
};
