/** How long a test waits for what must happen. Only a defect reaches it: a machine with ten times the load it can carry does not. */
export const PATIENCE_MS = 300_000;
