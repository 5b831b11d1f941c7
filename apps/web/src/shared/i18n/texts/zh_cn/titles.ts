import type { titles as en } from '../en/titles.ts'
import type { Translated } from '../translated.ts'

export const titles: Translated<typeof en> = {
  home: '首页',
  wallet: '钱包',
  walletDetail: '资产明细',
  income: '矿池付给您的',
  statement: '对账单',
  promotion: '晋升等级',
  pledge: '质押',
  pledgeDetail: '质押记录',
  teams: '团队',
  net: '我的团队网',
  setting: '设置',
  rewards: '奖励记录',
  transfer: '转出',
  records: '订单与支付',
  dao: '矿池与方案',
  notice: '公告',
  help: '帮助中心',
  share: '邀请好友',
}
