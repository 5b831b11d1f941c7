import type { rewards as en } from '../en/rewards.ts'
import type { Translated } from '../translated.ts'

export const rewards: Translated<typeof en> = {
  failed: '無法載入您的獎勵紀錄',
  offlineText: '網路恢復後會自動載入您的獎勵紀錄。',
  empty: '您下方的會員晉升時，您獲得或錯過的獎勵都會列在這裡。',
  noMatch: '沒有符合篩選條件的紀錄。',
  allTypes: '所有類型',
  allStatuses: '所有狀態',
  typeFilter: '類型',
  statusFilter: '狀態',
  statuses: {
    claim: '已入帳',
    unClaim: '待領取',
    failed: '未獲得',
    undefined: '未定義',
  },
  rose: '晉升至 L{{level}}',
  share: '價格的 {{share}}',
  invited: '由您邀請',
  layer: '位於您的第 {{layer}} 層',
  reasons: {
    'not-activated': '當時您的帳戶尚未開通。',
    'level-below': '當時您的等級低於 L{{level}}。',
    'count-reached': '當時您已獲得的推廣獎勵次數，已達您等級的上限。',
  },
  toFund: '這筆款項進入了礦池基金，沒有歸營運方。',
  waits: '等待您領取。',
  claimedAt: '領取時間：{{moment}}',
  pending: '您有 {{amount}} 的感恩獎勵待領取。',
  detail: {
    member: '會員',
    level: '晉升至',
    place: '位置',
    share: '比例',
    reason: '未獲得的原因',
    claimed: '領取時間',
    waiting: '尚未領取',
    unchanged: '沒有變動',
  },
}
