import type { profile as en } from '../en/profile.ts'
import type { Translated } from '../translated.ts'

export const profile: Translated<typeof en> = {
  level: '等级',
  activated: '已激活',
  notActivated: '未激活',
  disabled: '已停用',
  disabledSince: '运营人员已于 {{moment}} 停用此账户。',
  disabledReason: '原因：{{reason}}',
  inviter: '邀请人',
  noInviter: '无，您是第一位会员',
  lastLogin: '上次登录',
  loginBefore: '{{moment}}（本次之前）',
  firstLogin: '首次登录',
  memberSince: '注册时间',
  failed: '账户加载失败',
}
