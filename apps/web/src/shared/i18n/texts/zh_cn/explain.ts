import type { explain as en } from '../en/explain.ts'
import type { Translated } from '../translated.ts'

export const explain: Translated<typeof en> = {
  ask: '说明：{{word}}',
  more: '更多说明：{{title}}',
  articles: {
    'how-to-begin': '如何开始',
    'what-a-pledge-is': '什么是质押',
    'what-a-promotion-is': '什么是晋升，款项去了哪里',
    'money-in-and-out': '资金如何进出',
  },
  coins: 'USDT、BTN 与网络手续费：用途与获取方式',
  words: {
    effective: {
      name: '有效质押',
      text: '质押数量乘以期限系数。它决定您在每日分红中所占的份额。',
    },
    share: {
      name: '全网占比',
      text: '您的有效质押占所有会员有效质押的比例。其他人质押或质押到期时会变动。',
    },
    frozen: {
      name: '冻结',
      text: '为尚未完成的订单或转账预留，或锁定在质押中的资产。它仍然属于您。',
    },
    activated: {
      name: '已激活',
      text: '已晋升至 L1 或以上。只有已激活的会员才能获得奖励。',
    },
    quota: {
      name: '额度',
      text: '任意 24 小时内可转出的数量，按等级而定，每种币分开计算。',
    },
    power: {
      name: '算力',
      text: '您的晋升以您的名义为矿池购买、用于挖矿的算力，单位 TH/s。分红按质押计算，不按算力计算。',
    },
  },
}
