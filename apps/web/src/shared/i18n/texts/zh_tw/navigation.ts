import type { navigation as en } from '../en/navigation.ts'
import type { Translated } from '../translated.ts'

export const navigation: Translated<typeof en> = {
  label: '主要分頁',
  home: '首頁',
  wallet: '錢包',
  promotion: '晉升',
  pledge: '質押',
  teams: '團隊',
  more: '通知與設定',
  openSetting: '開啟設定',
  /** A part of a page that could not be loaded. */
  partFailed: '無法載入。請檢查網路，再重新載入頁面。',
}
