import type { income as en } from '../en/income.ts'
import type { Translated } from '../translated.ts'

export const income: Translated<typeof en> = {
  failed: '無法載入您的收入',
  offlineText: '網路恢復後會自動載入您的收入。',
  period: '期間',
  periods: { today: '今天', week: '7 天', month: '30 天', quarter: '90 天', year: '一年', all: '全部' },
  range: '{{dates}} · 按今日價格折合 USDT',
  rangeLast: '{{dates}} · 按最後已知價格（{{time}}）折合 USDT',
  none: '這段期間沒有款項入您的餘額。',
  about:
    '礦池付入您餘額的款項，按 UTC 日期計：紅利、獎勵與空投。空投隨您付費購買的等級或委任發放。紅利計入領取當日。尚未領取的不計入，退回的本金也不計入。過去的收入不代表日後的收入。',
  price: '1 {{symbol}} = {{price}} USDT，{{time}} 的價格',
  by: { day: '每日收入', month: '每月收入' },
  chooseBar: '點選長條查看',
  shown: '顯示',
  allSymbols: '全部',
  nothing: '沒有收入',
  asTable: '以表格顯示',
  columns: { day: '日期（UTC）', month: '月份（UTC）', sum: '合計' },
  sources: '收入來源',
  missed: {
    title: '未獲得的獎勵',
    records: '查看紀錄',
    count_other: '共 {{count}} 筆',
    reasons: {
      'not-activated_other': '當時帳戶尚未開通：{{count}} 筆',
      'level-below_other': '當時等級低於對方購買的等級：{{count}} 筆',
      'count-reached_other': '推廣獎勵次數已達您等級的上限：{{count}} 筆',
    },
    toFund: '這些款項進入了礦池基金，沒有歸營運方。',
  },
}
