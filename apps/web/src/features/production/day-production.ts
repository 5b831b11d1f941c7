/** Figures of a closed day, with the letters of the public table. */
type ProductionFigures = { readonly S: bigint; readonly F: bigint; readonly T: bigint }

/** The production of a day. */
export const dayProduction = ({ S, F, T }: ProductionFigures): bigint => (S === 0n ? 0n : F + T)
