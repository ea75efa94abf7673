/** The users with these ids. */
export type FindPeople = (
  ids: readonly string[],
) => Promise<readonly { readonly id: string; readonly email: string }[]>;

/** The e-mail addresses of users by their ids. */
export async function findEmails(
  findPeople: FindPeople,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const people = await findPeople([...new Set(ids)]);
  return new Map(people.map(({ id, email }) => [id, email]));
}
