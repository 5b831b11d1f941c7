/** The shape of the English texts, in other words: a translation has every key of the original and no other. */
export type Translated<Original> = {
  readonly [Key in keyof Original]: Original[Key] extends string ? string : Translated<Original[Key]>
}
