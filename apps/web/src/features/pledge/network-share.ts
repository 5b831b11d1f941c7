/** A network share: its text, and how much of the ring it fills. */
export type NetworkShare = { readonly text: string; readonly part: number }

const scaleToUnits = (amount: string, places: number): bigint => {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

/**
 * In tenths of a percent, or in hundredths below 10%. Cut off and never rounded up, so that a share below 100% never
 * shows as 100%.
 */
export function computeNetworkShare(own: string, all: string): NetworkShare {
  const places = Math.max(...[own, all].map((amount) => amount.split('.')[1]?.length ?? 0))
  const [part, whole] = [scaleToUnits(own, places), scaleToUnits(all, places)]
  if (part === 0n || whole === 0n) return { text: '0%', part: 0 }
  const hundredths = (part * 10_000n) / whole
  const drawn = Number((part * 1_000_000n) / whole) / 1_000_000
  if (hundredths === 0n) return { text: '<0.01%', part: drawn }
  const shown = hundredths < 1_000n ? hundredths : hundredths - (hundredths % 10n)
  return { text: `${Number(shown) / 100}%`, part: drawn }
}
