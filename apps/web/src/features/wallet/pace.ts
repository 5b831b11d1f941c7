/** How often a view that is in front asks anew: closely while something is on its way, calmly otherwise. */
export const refreshEvery = (somethingConfirming: boolean): number => (somethingConfirming ? 5_000 : 30_000)
