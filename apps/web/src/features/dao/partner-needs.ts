import type { PartnerStatus } from './use-dao.ts'

type Missing =
  | { readonly what: 'activation' }
  /** So many members are missing in this layer. */
  | { readonly what: 'layer'; readonly layer: number; readonly members: number }

/** The conditions that an application does not meet yet, with the missing numbers. */
export function missingFor({ activated, layers }: Pick<PartnerStatus, 'activated' | 'layers'>): Missing[] {
  const open = layers.filter(({ members, needed }) => members < needed)
  return [
    ...(activated ? [] : [{ what: 'activation' } as const]),
    ...open.map(({ layer, members, needed }) => ({ what: 'layer' as const, layer, members: needed - members })),
  ]
}
