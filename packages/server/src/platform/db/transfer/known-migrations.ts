import { CHECKSUMS } from '../migrations/checksums.ts';
import { MIGRATIONS } from '../migrations/index.ts';

/** A migration that tables have been through. */
export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

/** Tables of a program that is newer than this one, or of another edition of it. */
export class UnknownMigrations extends Error {
  override readonly name = 'UnknownMigrations';
  readonly isNewer: boolean;

  constructor(message: string, isNewer: boolean) {
    super(message);
    this.isNewer = isNewer;
  }
}

/** They must be the first of ours, in order. */
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
