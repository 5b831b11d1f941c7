import type { titles as en } from '../en/titles.ts'
import type { Translated } from '../translated.ts'

export const titles: Translated<typeof en> = {
  home: '首頁',
  wallet: '錢包',
  walletDetail: '資產明細',
  income: '礦池付給您的',
  statement: '對帳單',
  promotion: '晉升等級',
  pledge: '質押',
  pledgeDetail: '質押紀錄',
  teams: '團隊',
  net: '我的團隊網',
  setting: '設定',
  rewards: '獎勵紀錄',
  transfer: '轉出',
  records: '訂單與付款',
  dao: '礦池與方案',
  notice: '公告',
  help: '說明中心',
  share: '邀請朋友',
}
