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

  holds: {
    title: '转出暂缓中',
    text: '现在申请的转出，要等以下各项全部结束后才会处理。任何人都无法缩短。',
    'address-new': '新的转出地址',
    'device-new': '新的浏览器',
    'password-changed': '资金密码已修改',
    reset: '资金密码重置',
    'own-lock': '您自己的锁定',
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
    codeLostText: '钱包会请您签署一条消息，以获取新的设置码。这只是消息，不是付款，不会产生任何费用。',
    codeGiven: '已填入新的首次设置码',
    chosen: '资金密码已设置',

    change: '修改',
    changeTitle: '修改资金密码',
    changeText: '修改后 24 小时内，转出会暂缓处理。',
    changed: '资金密码已修改',

    reset: '忘记密码？',
    resetTitle: '重置资金密码',
    resetText: '适用于密码丢失的情况。请设置新密码，并由钱包确认是您本人。',
    resetWait: '新密码在 72 小时后生效。',
    resetHold: '生效后再过 24 小时之前，转出会暂缓处理。',
    resetRefuse: '在此期间无法修改资金密码和转出地址；等待中的地址变更会继续，您可以取消它。',
    resetSessions: '您在其他地方的登录会立即结束。',
    resetNotice: '每个页面都会显示这项重置，用当前密码可以取消。',
    resetPreview: '钱包会请您签署一条消息。这只是消息，不是付款，不会产生任何费用。',
    resetSubmit: '签署并重置',
    resetAsked: '重置将等待 72 小时',

    cancelReset: '取消重置',
    cancelResetText: '当前的资金密码会保留。如果不是您申请的重置，说明有人掌握了您的钱包：请把资产转到另一个钱包。',
    resetCancelled: '重置已取消',
  },

  banner: {
    text: '您的资金密码将在 {{time}}后重置。',
    action: '不是您？立即取消',
  },

  signing: {
    noWallet: '此浏览器中没有找到钱包。请在有钱包的地方打开本页。',
    otherAccount: '钱包当前是 {{account}}。请切换到您登录的账户后重试。',
    nothingSigned: '没有签署任何内容。',
  },
}
