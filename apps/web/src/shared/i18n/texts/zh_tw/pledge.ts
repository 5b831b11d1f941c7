import type { pledge as en } from '../en/pledge.ts'
import type { Translated } from '../translated.ts'

export const pledge: Translated<typeof en> = {
  term: '期限',
  days: '{{days}} 天',
  weight: '權重',
  order: {
    name: '質押 {{days}} 天',
  },
  outcome: {
    title: '質押成功',
    text: '質押自付款次日（UTC）起計算。期滿後 BTN 會退回您的餘額；期滿前無法提前結束。',
  },
}
