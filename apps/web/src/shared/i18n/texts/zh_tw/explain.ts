import type { explain as en } from '../en/explain.ts'
import type { Translated } from '../translated.ts'

export const explain: Translated<typeof en> = {
  ask: '說明：{{word}}',
  more: '更多說明：{{title}}',
  articles: {
    'how-to-begin': '如何開始',
    'what-a-pledge-is': '什麼是質押',
    'what-a-promotion-is': '什麼是晉升，款項去了哪裡',
    'money-in-and-out': '資金如何進出',
  },
  coins: 'USDT、BTN 與網路手續費：用途與取得方式',
  words: {
    effective: {
      name: '有效質押',
      text: '質押數量乘以期限係數。它決定您在每日紅利中所占的份額。',
    },
    share: {
      name: '全網占比',
      text: '您的有效質押占所有會員有效質押的比例。其他人質押或質押到期時會變動。',
    },
    frozen: {
      name: '凍結',
      text: '為尚未完成的訂單或轉帳保留，或鎖定在質押中的資產。它仍然屬於您。',
    },
    activated: {
      name: '已開通',
      text: '已晉升至 L1 或以上。只有已開通的會員才能獲得獎勵。',
    },
    quota: {
      name: '額度',
      text: '任意 24 小時內可轉出的數量，依等級而定，每種幣分開計算。',
    },
    power: {
      name: '算力',
      text: '您的晉升以您的名義為礦池購買、用於挖礦的算力，單位 TH/s。紅利依質押計算，不依算力計算。',
    },
  },
}
