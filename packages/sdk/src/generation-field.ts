/** A field of a generation request with its bounds, so that programs can ask people for it. */
export interface GenerationField {
  /** Its name in the API. */
  readonly field: string;
  /** The object in the request that has the field. */
  readonly parent?: string;
  /** `pictures` is a list that takes one. */
  readonly type: 'integer' | 'text' | 'choice' | 'switch' | 'picture' | 'pictures' | 'address';
  /** A sentence without a period; names of other fields are in backquotes. */
  readonly about: string;
  readonly isRequired?: boolean;
  /** The only mode that supports it. */
  readonly mode?: string;
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** What the pattern requires, in words. */
  readonly expects?: string;
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
}
