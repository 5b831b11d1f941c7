import type { navigation as en } from '../en/navigation.ts'
import type { Translated } from '../translated.ts'

export const navigation: Translated<typeof en> = {
  label: '主要栏目',
  home: '首页',
  wallet: '钱包',
  promotion: '晋升',
  pledge: '质押',
  teams: '团队',
  more: '通知与设置',
  openSetting: '打开设置',
  /** A part of a page that could not be loaded. */
  partFailed: '无法加载。请检查网络，再重新加载页面。',
}
