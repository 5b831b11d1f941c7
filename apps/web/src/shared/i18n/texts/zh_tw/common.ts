import type { common as en } from '../en/common.ts'
import type { Translated } from '../translated.ts'

export const common: Translated<typeof en> = {
  appName: 'Lode',
  tagline: '帳目公開的礦池',
  back: '返回',
  cancel: '取消',
  close: '關閉',
  retry: '重試',
  offline: '您目前離線',
  copied: '已複製',
  byHand: {
    title: '手動複製',
    text: '此瀏覽器不允許網頁複製。文字已選取：請長按後選擇「複製」，或用鍵盤複製。',
  },
  poolLink: {
    contact: '聯絡礦池',
    btnSource: '哪裡可以取得 BTN',
  },
  copyAddress: '複製地址',
  loading: '載入中…',
  fillIn: '請填寫此欄',
  refresh: '重新整理',
  pullToRefresh: '下拉以重新整理',
  releaseToRefresh: '放開以重新整理',
  refreshing: '重新整理中…',
  list: {
    empty: '暫無資料',
    end: '沒有更多資料了',
    more: '載入更多資料',
    failed: '載入更多資料失敗',
  },
  amount: {
    empty: '請輸入數量',
    notANumber: '請只輸入數字與一個小數點，例如 1250.5',
    ambiguous: '這裡的逗號有兩種意思，請寫成 {{whole}} 或 {{decimal}}',
    tooPrecise: '{{symbol}} 最多 {{decimals}} 位小數',
    tooLarge: '數量太大',
    zero: '數量必須大於零',
  },
  language: '語言',
  notifications: '通知',
  stepDone: '已完成',
  stepCurrent: '進行中',
  stepWaiting: '等待中',
  stepFailed: '失敗',
}
