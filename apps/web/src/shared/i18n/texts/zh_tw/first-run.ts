import type { firstRun as en } from '../en/first-run.ts'
import type { Translated } from '../translated.ts'

export const firstRun: Translated<typeof en> = {
  title: '開始之前',
  risksTitle_other: '開始之前：{{count}} 項風險',
  text: '用白話說明可能的風險，請讀完再繼續。',
  words: 'BTN 是礦池的代幣；晉升是購買等級；質押是把 BTN 鎖定一段期間。',
  risks: {
    return: {
      title: '沒有任何收益承諾',
      text: '挖礦產出每天不同，也可能為零。您拿回的可能比付出的少，也可能什麼都拿不回來。',
    },
    value: {
      title: 'BTN 可能失去價值',
      text: '可能損失部分或全部價值，也可能找不到買家。',
    },
    promotion: {
      title: '晉升費用不會退還',
      text: '一經支付便不退還。獎勵取決於其他會員的行動，可能為零。',
    },
    pledge: {
      title: '質押不能提前結束',
      text: '到最後一天為止，價格如何變動，您都只能承受。',
    },
    people: {
      title: '人和軟體都可能出錯',
      text: '營運方可能經營不善，也可能欺騙；合約和區塊鏈可能故障；出款可能暫停，每次最長 72 小時。',
    },
    wallet: {
      title: '錢包只在您自己手上',
      text: '掌握助記詞的人就掌握了錢包裡的一切，我們絕不會向您索取。鏈上的付款無法追回。',
    },
    law: {
      title: '各地法律不同',
      text: '多層級獎勵在許多地方被禁止或受到管制。請先了解您所在地的規定，以及應繳的稅。',
    },
  },
  bearable: '請只使用您承受得起損失的資金。',
  byConfirming: '確認即表示您接受上述風險。',
  accept: '我已讀完並接受',
  logout: '暫不接受，登出',
}
