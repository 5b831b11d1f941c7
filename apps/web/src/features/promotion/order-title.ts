import type { TFunction } from 'i18next'

export const orderTitle = (t: TFunction, { level }: { readonly level: number }): string =>
  t('promotion.order.name', { level })
