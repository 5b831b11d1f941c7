/** A part of something, of which 10,000 basis points are the whole: `2.5%`. */
export const formatShare = (basisPoints: number): string => `${basisPoints / 100}%`
