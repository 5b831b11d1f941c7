import type { promotion as en } from '../en/promotion.ts'
import type { Translated } from '../translated.ts'

export const promotion: Translated<typeof en> = {
  failed: '等级加载失败',
  offlineText: '网络恢复后会自动加载您的等级。',
  ownLevel: '当前等级',
  ownPower: '已购算力',
  investment: '晋升支付总额',
  power: '算力',
  powerOf: '{{power}} TH/s',
  airdrop: '空投',
  rewardsAtMost: '推广奖励次数上限',
  quotas: '24 小时转出上限',

  planNone: '此矿池尚未公布方案，目前不出售任何项目。',
  highest: '您已经是最高等级。',
  airdropUnfunded: '空投储备不足：除非在订单完成前补足，这次晋升不会有空投。',
  promote: '晋升',
  promoteTo: '以 {{amount}} 晋升至 L{{level}}',

  counts: '目前成果',
  directReferrals: '直接推荐',
  activated: '其中 {{number}} 人已激活',
  rewards: '已获推广奖励',
  rewardsOf: '{{count}} 次，上限 {{atMost}} 次',
  rewardsLater: '晋升至 L1 后才有',
  income: '团队奖励总收益',
  allIncome: '全部收入',
  thanksgiving: '待领感恩奖励',
  claim: '领取 {{amount}}',
  claimed: '奖励领取成功',
  claimNothing: '目前没有待领的感恩奖励。',
  expertsOnly: '仅限分享达人',
  claimWho: '只有经两位运营人员批准的分享达人可以领取。',
  records: '记录',
  rewardRecords: '奖励记录',
  orderRecords: '订单与支付记录',

  ladder: '等级一览',
  withRegistration: '注册即有',
  yours: '当前',
  next: '下一级',

  order: {
    name: '晋升至 L{{level}}',
    title: '晋升至 L{{level}}',
    text: '以您的名义为矿池购买 {{power}} TH/s 算力。算力本身不会付给您任何款项：分红按 BTN 质押计算。',
    price: '价格',
    shares: '这笔款项的去向',
    sharesText: '单位为 USDT。上级未达条件或空缺的部分，归矿池基金。',
    gets: '您将获得',
    risk: '晋升款项一经支付便不退还。奖励与分红并无保证：取决于矿池的实际收入与其他会员的行为，可能为零。',
  },
  confirming: '已检测到您的付款，最终确定后您就是 L{{level}}。',
  outcome: {
    level: '您现在是 L{{level}}',
    notPaid: '未发放',
    airdropEmpty: '空投储备不足：未能发放 {{amount}} BTN。',
  },
  unheard: {
    notYet:
      '尚不知道您晋升 L{{level}} 的订单结果。目前这里还没有，我们会继续查找。若您再下同样的订单，也不会重复执行。',
    notArrived: '您晋升 L{{level}} 的订单没有到达矿池，未扣除任何款项。',
  },
}
