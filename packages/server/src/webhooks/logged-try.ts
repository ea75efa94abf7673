/** What is kept of one try: never what the receiver sent, which is not for whoever named its address. */
export interface LoggedTry {
  readonly at: number;
  readonly status?: number;
  readonly error?: string;
  readonly ms: number;
}

const MAX_KEPT = 50;

export function appendTries(text: string, tries: readonly LoggedTry[]): string {
  return JSON.stringify([...readTries(text), ...tries].slice(-MAX_KEPT));
}

/** Nobody but `appendTries` writes that column. */
export function readTries(text: string): LoggedTry[] {
  return JSON.parse(text) as LoggedTry[];
}
