/**
 * The shape of the English texts, in other words: a translation has every key of the original and no other. Chinese has no
 * singular, so it has `_other` alone where English has `_one` and `_other`.
 */
export type Translated<Original> = {
  readonly [Key in keyof Original as Key extends `${string}_one` ? never : Key]: Original[Key] extends string
    ? string
    : Translated<Original[Key]>
}
