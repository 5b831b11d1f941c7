import type { home as en } from '../en/home.ts'
import type { Translated } from '../translated.ts'

export const home: Translated<typeof en> = {
  account: '您的账户',
  shortcuts: {
    label: '快捷入口',
    transfer: '转出',
    invite: '邀请',
    help: '帮助',
  },
  offlineText: '网络恢复后将自动加载您的账户。',
}
