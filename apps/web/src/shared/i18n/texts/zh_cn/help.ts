import type { help as en } from '../en/help.ts'
import type { Translated } from '../translated.ts'

export const help: Translated<typeof en> = {
  contactNone: '本矿池尚未公布联系方式。在本应用之外主动提供帮助的人，都不是我们。',
  search: '搜索帮助',
  found: '找到的文章：{{number}}',
  nothing: '没有符合的文章',
  nothingText: '请减少字词，或换个说法。',
  unknown: '没有这篇文章',
  unknownText: '它可能已改名或移除。',
  toAll: '所有文章',
  failed: '帮助加载失败',
  offlineText: '网络恢复后将自动加载帮助。',
  emptyText: '本矿池尚未发布任何文章。',
}
