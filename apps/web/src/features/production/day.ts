/** Figures of a closed day, by the letters of the public table. */
type Day = { readonly S: bigint; readonly F: bigint; readonly T: bigint }

/** What a day shared out among all. */
export const sharedOn = ({ S, F, T }: Day): bigint => (S === 0n ? 0n : F + T)
