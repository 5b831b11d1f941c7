import type { TextFunction } from '../../shared/i18n/index.ts'

export const orderTitle = (t: TextFunction, { level }: { readonly level: number }): string =>
  t('promotion.order.name', { level })
