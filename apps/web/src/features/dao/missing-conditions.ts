import type { PartnerStatus } from './use-dao.ts'

type MissingCondition =
  | { readonly kind: 'activation' }
  /** `members` is how many members this layer still lacks. */
  | { readonly kind: 'layer'; readonly layer: number; readonly members: number }

/** The conditions that an application does not meet yet, with the missing numbers. */
export function listMissingConditions({
  activated,
  layers,
}: Pick<PartnerStatus, 'activated' | 'layers'>): MissingCondition[] {
  const incompleteLayers = layers.filter(({ members, needed }) => members < needed)
  return [
    ...(activated ? [] : [{ kind: 'activation' } as const]),
    ...incompleteLayers.map(({ layer, members, needed }) => ({
      kind: 'layer' as const,
      layer,
      members: needed - members,
    })),
  ]
}
