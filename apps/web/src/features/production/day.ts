/** Figures of a closed day, with the letters of the public table. */
type Day = { readonly S: bigint; readonly F: bigint; readonly T: bigint }

/** The production of a day. */
export const sharedOn = ({ S, F, T }: Day): bigint => (S === 0n ? 0n : F + T)
