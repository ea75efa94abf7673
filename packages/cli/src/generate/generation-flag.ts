/** A field of a generation request as a flag. The tables in flags.ts are made from the schemas of the API. */
export interface GenerationFlag {
  /** With dashes. */
  readonly flag: string;
  /** As the API calls it. */
  readonly field: string;
  /** The object in the request that has the field. */
  readonly parent?: string;
  /** `pictures` is a list that takes one. */
  readonly type: 'integer' | 'text' | 'choice' | 'switch' | 'picture' | 'pictures' | 'address';
  readonly about: string;
  readonly isRequired?: boolean;
  /** The only mode that has it. */
  readonly mode?: string;
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** What the pattern asks for, in words. */
  readonly expects?: string;
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
}

/** Under which the parser of options keeps it. */
export function keyOf({ flag }: Pick<GenerationFlag, 'flag'>): string {
  return flag.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
