export function findNode(root: string): string | undefined;
export function runNode(node: string, args: readonly string[]): Promise<number>;
