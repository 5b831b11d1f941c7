import type { profile as en } from '../en/profile.ts'
import type { Translated } from '../translated.ts'

export const profile: Translated<typeof en> = {
  level: '等級',
  activated: '已開通',
  notActivated: '未開通',
  disabled: '已停用',
  disabledSince: '營運人員已於 {{moment}} 停用此帳戶。',
  disabledReason: '原因：{{reason}}',
  inviter: '邀請人',
  noInviter: '無，您是第一位會員',
  lastLogin: '上次登入',
  loginBefore: '{{moment}}（本次之前）',
  firstLogin: '首次登入',
  memberSince: '註冊時間',
  failed: '無法載入您的帳戶',
}
