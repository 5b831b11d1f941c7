import type { home as en } from '../en/home.ts'
import type { Translated } from '../translated.ts'

export const home: Translated<typeof en> = {
  account: '您的帳戶',
  shortcuts: {
    label: '捷徑',
    transfer: '轉出',
    invite: '邀請',
    help: '說明',
  },
  offlineText: '網路恢復後會自動載入您的帳戶。',
}
