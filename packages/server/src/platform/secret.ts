import { inspect } from 'node:util';

interface OldSecret<T extends string | Uint8Array> {
  readonly secret: Secret<T>;
  /** When everything made with it has expired. */
  readonly until: number;
}

/** A value that is never printed: logs, JSON and inspection show `[secret]`. */
export class Secret<T extends string | Uint8Array = string> {
  readonly #value: T;
  /** The previous secret, to verify what was made with it. */
  readonly old: OldSecret<T> | undefined;

  constructor(value: T, old?: OldSecret<T>) {
    this.#value = value;
    this.old = old;
  }

  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
