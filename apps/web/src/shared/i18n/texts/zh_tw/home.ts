import type { home as en } from '../en/home.ts'
import type { Translated } from '../translated.ts'

export const home: Translated<typeof en> = {
  account: '您的帳戶',
  invite: '邀請',
  inviteText: '使用您的邀請碼註冊的人，將永久成為您邀請的會員。',
  inviteCode: '邀請碼',
  inviteLink: '邀請連結',
  copyCode: '複製邀請碼',
  copyLink: '複製邀請連結',
  offlineText: '網路恢復後會自動載入您的帳戶。',
}
