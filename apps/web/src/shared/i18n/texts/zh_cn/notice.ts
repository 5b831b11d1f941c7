import type { notice as en } from '../en/notice.ts'
import type { Translated } from '../translated.ts'

export const notice: Translated<typeof en> = {
  bell: '公告',
  bellUnread: '公告，{{unread}} 条未读',
  none: '暂无公告',
  unread: '未读：',
  new: '新',
  unreadCount: '{{unread}} 条未读',
  allRead: '全部已读',
  readAll: '全部标为已读',
  failed: '公告加载失败',
  offlineText: '网络恢复后将自动加载公告。',
  emptyText: '矿池要告诉会员的事，只会发布在这里。',
  plan: {
    title: '{{date}}起：转出条件变严',
    takenBackTitle: '方案第 {{version}} 版已撤回',
    coming:
      '方案第 {{version}} 版将于 {{moment}} 生效。在此之前仍适用目前的条件，您可以按目前的条件转出资产。将变严的项目：',
    started: '方案第 {{version}} 版已于 {{moment}} 生效。变严的项目：',
    takenBack: '后来的版本先行生效，因此第 {{version}} 版从未生效。它原本会改变的项目：',
  },
}
