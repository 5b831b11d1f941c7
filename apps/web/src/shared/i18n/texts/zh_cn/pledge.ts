import type { pledge as en } from '../en/pledge.ts'
import type { Translated } from '../translated.ts'

export const pledge: Translated<typeof en> = {
  term: '期限',
  days: '{{days}} 天',
  weight: '权重',
  order: {
    name: '质押 {{days}} 天',
  },
  outcome: {
    title: '质押成功',
    text: '质押自付款次日（UTC）起计算。期满后 BTN 会退回您的余额；期满前无法提前结束。',
  },
}
