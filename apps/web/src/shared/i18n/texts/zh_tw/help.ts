import type { help as en } from '../en/help.ts'
import type { Translated } from '../translated.ts'

export const help: Translated<typeof en> = {
  contactNone: '本礦池尚未公布聯絡方式。在本應用程式之外主動提供協助的人，都不是我們。',
  search: '搜尋說明',
  found: '找到的文章：{{number}}',
  nothing: '沒有符合的文章',
  nothingText: '請減少字詞，或換個說法。',
  unknown: '沒有這篇文章',
  unknownText: '它可能已改名或移除。',
  toAll: '所有文章',
  failed: '無法載入說明',
  offlineText: '網路恢復後會自動載入說明。',
  emptyText: '本礦池尚未發布任何文章。',
}
