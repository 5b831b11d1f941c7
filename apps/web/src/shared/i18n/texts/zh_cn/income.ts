import type { income as en } from '../en/income.ts'
import type { Translated } from '../translated.ts'

export const income: Translated<typeof en> = {
  failed: '您的收入加载失败',
  offlineText: '网络恢复后将自动加载您的收入。',
  period: '时间范围',
  periods: { today: '今天', week: '7 天', month: '30 天', quarter: '90 天', year: '一年', all: '全部' },
  range: '{{dates}} · 按今日价格折合 USDT',
  rangeLast: '{{dates}} · 按最后已知价格（{{time}}）折合 USDT',
  none: '这段时间没有款项入您的余额。',
  about:
    '矿池付入您余额的款项，按 UTC 日期计：分红、奖励和空投。空投随您付费购买的等级或委任发放。分红计入领取当日。尚未领取的不计入，退回的本金也不计入。过去的收入不代表以后的收入。',
  price: '1 {{symbol}} = {{price}} USDT，{{time}} 的价格',
  by: { day: '每日收入', month: '每月收入' },
  chooseBar: '点选柱条查看',
  shown: '显示',
  allSymbols: '全部',
  nothing: '没有收入',
  asTable: '以表格显示',
  columns: { day: '日期（UTC）', month: '月份（UTC）', sum: '合计' },
  sources: '收入来源',
  missed: {
    title: '未获得的奖励',
    records: '查看记录',
    count_other: '共 {{count}} 笔',
    reasons: {
      'not-activated_other': '当时账户尚未激活：{{count}} 笔',
      'level-below_other': '当时等级低于对方购买的等级：{{count}} 笔',
      'count-reached_other': '推广奖励次数已达您等级的上限：{{count}} 笔',
    },
    toFund: '这些款项进入了矿池基金，没有归运营方。',
  },
}
