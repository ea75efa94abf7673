const names = new Map<string, string>();

/** From now on PostgreSQL keeps this statement parsed and planned, once for each connection. Only for texts that are few. */
export function nameStatement(text: string): void {
  if (!names.has(text)) names.set(text, `atelier_${names.size}`);
}

export function statementName(text: string): string | undefined {
  return names.get(text);
}
