import type { home as en } from '../en/home.ts'
import type { Translated } from '../translated.ts'

export const home: Translated<typeof en> = {
  account: '您的账户',
  invite: '邀请',
  inviteText: '使用您的邀请码注册的人，将永久成为您邀请的会员。',
  inviteCode: '邀请码',
  inviteLink: '邀请链接',
  copyCode: '复制邀请码',
  copyLink: '复制邀请链接',
  offlineText: '网络恢复后将自动加载您的账户。',
}
