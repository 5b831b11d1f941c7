import type { rewards as en } from '../en/rewards.ts'
import type { Translated } from '../translated.ts'

export const rewards: Translated<typeof en> = {
  failed: '奖励记录加载失败',
  offlineText: '网络恢复后将自动加载您的奖励记录。',
  empty: '您下方的会员晋升时，您获得或错过的奖励都会列在这里。',
  noMatch: '没有符合筛选条件的记录。',
  allTypes: '所有类型',
  allStatuses: '所有状态',
  typeFilter: '类型',
  statusFilter: '状态',
  statuses: {
    claim: '已到账',
    unClaim: '待领取',
    failed: '未获得',
    undefined: '未定义',
  },
  rose: '晋升到 L{{level}}',
  share: '价格的 {{share}}',
  invited: '由您邀请',
  layer: '位于您的第 {{layer}} 层',
  reasons: {
    'not-activated': '当时您的账户尚未激活。',
    'level-below': '当时您的等级低于 L{{level}}。',
    'count-reached': '当时您已获得的推广奖励次数，已达到您等级的上限。',
  },
  toFund: '这笔款项进入了矿池基金，没有归运营方。',
  waits: '等待您领取。',
  claimedAt: '领取时间：{{moment}}',
  pending: '您有 {{amount}} 的感恩奖励待领取。',
  detail: {
    member: '会员',
    level: '晋升到',
    place: '位置',
    share: '比例',
    reason: '未获得的原因',
    claimed: '领取时间',
    waiting: '尚未领取',
    unchanged: '没有变动',
  },
}
