import type { promotion as en } from '../en/promotion.ts'
import type { Translated } from '../translated.ts'

export const promotion: Translated<typeof en> = {
  failed: '無法載入您的等級',
  offlineText: '網路恢復後會自動載入您的等級。',
  ownLevel: '目前等級',
  ownPower: '已購算力',
  investment: '晉升支付總額',
  power: '算力',
  powerOf: '{{power}} TH/s',
  airdrop: '空投',
  rewardsAtMost: '推廣獎勵次數上限',
  quotas: '24 小時轉出上限',

  planNone: '此礦池尚未公布方案，目前不販售任何項目。',
  highest: '您已經是最高等級。',
  airdropUnfunded: '空投儲備不足：除非在訂單完成前補足，這次晉升不會有空投。',
  promote: '晉升',
  promoteTo: '以 {{amount}} 晉升至 L{{level}}',

  counts: '目前成果',
  directReferrals: '直接推薦',
  activated: '其中 {{number}} 人已開通',
  rewards: '已獲推廣獎勵',
  rewardsOf: '{{count}} 次，上限 {{atMost}} 次',
  rewardsLater: '晉升至 L1 後才有',
  income: '團隊獎勵總收益',
  allIncome: '全部收入',
  thanksgiving: '待領感恩獎勵',
  claim: '領取 {{amount}}',
  claimed: '獎勵領取成功',
  claimNothing: '目前沒有待領的感恩獎勵。',
  expertsOnly: '僅限分享達人',
  claimWho: '只有經兩位營運人員核准的分享達人可以領取。',
  records: '紀錄',
  rewardRecords: '獎勵紀錄',
  orderRecords: '訂單與付款紀錄',

  ladder: '等級一覽',
  withRegistration: '註冊即有',
  yours: '目前',
  next: '下一級',

  order: {
    name: '晉升至 L{{level}}',
    title: '晉升至 L{{level}}',
    text: '以您的名義為礦池購買 {{power}} TH/s 算力。算力本身不會付給您任何款項：紅利依 BTN 質押計算。',
    price: '價格',
    shares: '這筆款項的去向',
    sharesText: '單位為 USDT。上級未達條件或空缺的部分，歸礦池基金。',
    gets: '您將獲得',
    risk: '晉升款項一經支付便不退還。獎勵與紅利並無保證：取決於礦池的實際收入與其他會員的行為，可能為零。',
  },
  confirming: '已偵測到您的付款，最終確定後您就是 L{{level}}。',
  outcome: {
    level: '您現在是 L{{level}}',
    notPaid: '未發放',
    airdropEmpty: '空投儲備不足：未能發放 {{amount}} BTN。',
  },
  unheard: {
    notYet:
      '尚不知道您晉升 L{{level}} 的訂單結果。目前這裡還沒有，我們會繼續查找。若您再下同樣的訂單，也不會重複執行。',
    notArrived: '您晉升 L{{level}} 的訂單沒有送達礦池，未扣除任何款項。',
  },
}
