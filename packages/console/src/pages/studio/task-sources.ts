const STORED = 'atelier.studio.sources';
/** The oldest are forgotten first. */
const MAX_KEPT = 300;

function read(): [task: string, asset: string][] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(value) ? (value as [string, string][]) : [];
  } catch {
    return [];
  }
}

/** Which file of the gallery a task was made of. The server keeps what it was given for a day only. */
export const taskSources = {
  note(task: string, asset: string): void {
    localStorage.setItem(STORED, JSON.stringify([...read(), [task, asset]].slice(-MAX_KEPT)));
  },
  of: (task: string): string | undefined => read().find(([id]) => id === task)?.[1],
};
