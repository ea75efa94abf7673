import { CHECKSUMS } from '../migrations/checksums.ts';
import { MIGRATIONS } from '../migrations/index.ts';

/** A migration that was applied to tables. */
export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

/** The tables belong to a newer program, or to one with other migrations. */
export class UnknownMigrations extends Error {
  override readonly name = 'UnknownMigrations';
  readonly isNewer: boolean;

  constructor(message: string, isNewer: boolean) {
    super(message);
    this.isNewer = isNewer;
  }
}

/** Throws `UnknownMigrations` unless they are the first of ours, in order. */
export function assertKnown(applied: readonly AppliedMigration[]): void {
  const ours = Object.keys(MIGRATIONS).toSorted();
  for (const [index, { name, checksum }] of applied.entries()) {
    if (ours[index] !== name)
      throw new UnknownMigrations(
        `it has migration ${name}, this program knows up to ${ours.at(-1)}`,
        !ours.includes(name),
      );
    if (CHECKSUMS[name] !== checksum)
      throw new UnknownMigrations(`it was made with another edition of migration ${name}`, false);
  }
}
