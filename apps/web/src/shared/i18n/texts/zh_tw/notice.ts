import type { notice as en } from '../en/notice.ts'
import type { Translated } from '../translated.ts'

export const notice: Translated<typeof en> = {
  bell: '公告',
  bellUnread: '公告，{{unread}} 則未讀',
  none: '目前沒有公告',
  unread: '未讀：',
  new: '新',
  unreadCount: '{{unread}} 則未讀',
  allRead: '全部已讀',
  readAll: '全部標示為已讀',
  failed: '無法載入公告',
  offlineText: '網路恢復後會自動載入公告。',
  emptyText: '礦池要告訴會員的事，只會發布在這裡。',
  plan: {
    title: '{{date}}起：轉出條件變嚴',
    takenBackTitle: '方案第 {{version}} 版已撤回',
    coming:
      '方案第 {{version}} 版將於 {{moment}} 生效。在此之前仍適用目前的條件，您可以依目前的條件轉出資產。將變嚴的項目：',
    started: '方案第 {{version}} 版已於 {{moment}} 生效。變嚴的項目：',
    takenBack: '後來的版本先行生效，因此第 {{version}} 版從未生效。它原本會改變的項目：',
  },
}
