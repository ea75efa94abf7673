/** A pattern for `like … escape '\'` that matches every text with this part. SQLite has no default escape character. */
export function likePattern(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
