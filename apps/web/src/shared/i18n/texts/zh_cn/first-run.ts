import type { firstRun as en } from '../en/first-run.ts'
import type { Translated } from '../translated.ts'

export const firstRun: Translated<typeof en> = {
  title: '开始之前',
  risksTitle_other: '开始之前：{{count}} 项风险',
  text: '用大白话说明可能的风险，请读完再继续。',
  words: 'BTN 是矿池的代币；晋升是购买等级；质押是把 BTN 锁定一段时间。',
  risks: {
    return: {
      title: '没有任何收益承诺',
      text: '挖矿产出每天不同，也可能为零。您拿回的可能比付出的少，也可能什么都拿不回来。',
    },
    value: {
      title: 'BTN 可能失去价值',
      text: '可能损失部分或全部价值，也可能找不到买家。',
    },
    promotion: {
      title: '晋升费用不予退还',
      text: '一经支付便不退还。奖励取决于其他会员的行为，可能为零。',
    },
    pledge: {
      title: '质押不能提前结束',
      text: '到最后一天为止，价格如何变动，您都只能承受。',
    },
    people: {
      title: '人和软件都可能出错',
      text: '运营方可能经营不善，也可能欺骗；合约和区块链可能出故障；出款可能暂停，每次最长 72 小时。',
    },
    wallet: {
      title: '钱包只在您自己手中',
      text: '谁掌握助记词，谁就掌握钱包里的一切，我们绝不会向您索要。链上的付款无法追回。',
    },
    law: {
      title: '各地法律不同',
      text: '多层级奖励在许多地方被禁止或受到监管。请先了解您所在地的规定，以及应缴的税。',
    },
  },
  bearable: '请只使用您承受得起损失的资金。',
  byConfirming: '确认即表示您接受上述风险。',
  accept: '我已读完并接受',
  logout: '暂不接受，退出登录',
}
