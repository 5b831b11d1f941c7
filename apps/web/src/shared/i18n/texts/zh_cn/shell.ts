import type { shell as en } from '../en/shell.ts'
import type { Translated } from '../translated.ts'

export const shell: Translated<typeof en> = {
  titles: {
    login: '登录',
    regist: '注册',
    forbidden: '拒绝访问',
    notFound: '页面不存在',
    failed: '出错了',
  },
  offline: '您已离线，所见内容可能不是最新的。',
  forbidden: {
    title: '您无法打开此页面',
    text: '您的账户没有访问权限。没有任何内容被更改。',
  },
  notFound: {
    title: '此处没有矿脉',
    text: '该地址没有页面。页面可能已移动，或链接不完整。',
  },
  failed: {
    title: '页面出错了',
    text: '问题出在我们这边，您的资产没有变动。请重试。',
  },
  toHome: '返回首页',
  toLogin: '前往登录',
}
