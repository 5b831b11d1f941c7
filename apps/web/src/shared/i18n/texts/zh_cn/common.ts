import type { common as en } from '../en/common.ts'
import type { Translated } from '../translated.ts'

export const common: Translated<typeof en> = {
  appName: 'Lode',
  tagline: '账目公开的矿池',
  back: '返回',
  cancel: '取消',
  close: '关闭',
  retry: '重试',
  copied: '已复制',
  copyAddress: '复制地址',
  loading: '加载中…',
  language: '语言',
  notifications: '通知',
  stepDone: '已完成',
  stepCurrent: '进行中',
  stepWaiting: '等待中',
  stepFailed: '失败',
}
