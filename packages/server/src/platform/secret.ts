import { inspect } from 'node:util';

interface OldSecret<T extends string | Uint8Array> {
  readonly secret: Secret<T>;
  /** In milliseconds. Nothing made with it lasts longer. */
  readonly until: number;
}

/** Holds a value that must never be printed: logs, JSON and inspection show only a mark. */
export class Secret<T extends string | Uint8Array = string> {
  readonly #value: T;
  /** The one before, for what was made with it. */
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
