/** A share in percent, such as `2.5%`. 10,000 basis points are 100%. */
export const formatShare = (basisPoints: number): string => `${basisPoints / 100}%`
