import { inspect } from 'node:util';

/** Holds a value that must never be printed: logs, JSON and inspection show only a mark. */
export class Secret<T extends string | Uint8Array = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
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
