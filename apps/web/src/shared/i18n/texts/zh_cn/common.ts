import type { common as en } from '../en/common.ts'
import type { Translated } from '../translated.ts'

export const common: Translated<typeof en> = {
  appName: 'Lode',
  tagline: '账目公开的矿池',
  back: '返回',
  cancel: '取消',
  close: '关闭',
  retry: '重试',
  offline: '您已离线',
  copied: '已复制',
  byHand: {
    title: '手动复制',
    text: '此浏览器不允许网页复制。文字已选中：请长按后选择“复制”，或用键盘复制。',
  },
  poolLink: {
    contact: '联系矿池',
    btnSource: '哪里可以获得 BTN',
  },
  copyAddress: '复制地址',
  loading: '加载中…',
  fillIn: '请填写此项',
  refresh: '刷新',
  pullToRefresh: '下拉刷新',
  releaseToRefresh: '松开刷新',
  refreshing: '正在刷新…',
  list: {
    empty: '暂无数据',
    end: '没有更多数据了',
    more: '加载更多数据',
    failed: '加载更多数据失败',
  },
  amount: {
    empty: '请输入数量',
    notANumber: '请只输入数字和一个小数点，例如 1250.5',
    ambiguous: '这里的逗号有两种意思，请写成 {{whole}} 或 {{decimal}}',
    tooPrecise: '{{symbol}} 最多 {{decimals}} 位小数',
    tooLarge: '数量太大',
    zero: '数量必须大于零',
  },
  language: '语言',
  notifications: '通知',
  stepDone: '已完成',
  stepCurrent: '进行中',
  stepWaiting: '等待中',
  stepFailed: '失败',
}
