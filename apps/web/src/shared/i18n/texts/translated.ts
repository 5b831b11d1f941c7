/**
 * The type of a translation: exactly the keys of the English texts. Chinese has no singular, so it has only `_other`
 * where English has `_one` and `_other`.
 */
export type Translated<Original> = {
  readonly [Key in keyof Original as Key extends `${string}_one` ? never : Key]: Original[Key] extends string
    ? string
    : Translated<Original[Key]>
}
