import type { shell as en } from '../en/shell.ts'
import type { Translated } from '../translated.ts'

export const shell: Translated<typeof en> = {
  titles: {
    login: '登录',
    regist: '注册',
    home: '首页',
    wallet: '钱包',
    walletDetail: '资产明细',
    statement: '对账单',
    promotion: '晋升等级',
    pledge: '质押',
    pledgeDetail: '质押记录',
    teams: '团队',
    net: '我的团队网',
    setting: '设置',
    rewards: '奖励记录',
    transfer: '转出',
    records: '订单与支付',
    dao: '矿池与方案',
    notice: '公告',
    help: '帮助中心',
    share: '邀请好友',
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
