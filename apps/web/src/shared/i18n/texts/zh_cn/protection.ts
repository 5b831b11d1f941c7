import type { protection as en } from '../en/protection.ts'
import type { Translated } from '../translated.ts'

export const protection: Translated<typeof en> = {
  endsIn: '{{time}}后结束',
  endsAt: '至 {{moment}}',
  time: {
    days: '{{days}} 天 {{hours}} 小时',
    hours: '{{hours}} 小时 {{minutes}} 分钟',
    minutes: '{{minutes}} 分钟',
  },

  password: {
    title: '资金密码',
    whatFor: '每次转出，以及在此处的每项变更都需要它。它不是钱包密码。',
    unset: '尚未设置',
    set: '已设置',
    locked: '输错五次，已锁定',
    waiting: '等待重置',
    field: '资金密码',
    current: '当前资金密码',
    next: '新的资金密码',
    hint: '6 到 20 位字母或数字',
    show: '显示输入内容',
    hide: '隐藏输入内容',

    choose: '设置资金密码',
    chooseText: '请用注册时的首次设置码，现在就设置。在此之前无法转出任何资产。',
    code: '首次设置码',
    codeHint: '16 位字母或数字，注册时只显示过一次',
    codeWrong: '应为 16 位字母或数字',
    codeLost: '我的设置码丢了',
    codeLostText: '如果设置码丢了，钱包会请您签署一条消息，以获取新的设置码。这只是消息，不是付款，不会产生任何费用。',
    codeGiven: '已填入新的首次设置码',
    chosen: '资金密码已设置',
  },

  signing: {
    noWallet: '此浏览器中没有找到钱包。请在有钱包的地方打开本页。',
    otherAccount: '钱包当前是 {{account}}。请切换到您登录的账户后重试。',
    nothingSigned: '没有签署任何内容。',
  },
}
