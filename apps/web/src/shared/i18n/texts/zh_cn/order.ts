import type { order as en } from '../en/order.ts'
import type { Translated } from '../translated.ts'

export const order: Translated<typeof en> = {
  title: '订单',
  states: {
    paying: '等待付款',
    closing: '关闭中',
    confirming: '等待确认',
    success: '成功',
    failed: '失败',
  },
  unpaidStates: {
    cancelled: '已取消',
    expired: '已过期',
  },
  parts: '余额支付 {{balance}} · 钱包支付 {{online}}',
  toPay: {
    online: '待用钱包支付',
    mixed: '余额支付 {{balance}} · 待钱包支付 {{online}}',
  },
  notPaid: {
    online: '本应由钱包支付，未付款',
    mixed: '未付款（原为余额 {{balance}}、钱包 {{online}}）',
  },
  paid: {
    online: '已由钱包支付',
    mixed: '余额支付 {{balance}} · 钱包支付 {{online}}',
  },
  see: '查看订单',
  open: '请在 {{time}} 前支付 {{amount}}，在此之前您可以随时回到这笔订单。',
  planVersion: '方案 v{{version}}',
  form: {
    actual: '需由钱包支付',
    choosePassword: '由余额支付需要资金密码，请先设置。',
    enterPassword: '输入资金密码',
    submit: '下单',
    submitBalance: '由余额支付 {{amount}}',
    submitOnline: '下单并支付 {{amount}}',
    walletShort: '您的钱包只有 {{amount}}。',
    getFirst: '下单后须在 {{time}}内付款，请先备好 {{symbol}} 再下单。',
    payLater: '您可以先下单，并在 {{time}}内付款。',
    obstacles: {
      unreachable: '此页面目前无法连接您的钱包。',
      unread: '无法读取您钱包的余额。',
      'vault-paused': '金库已暂停，目前不接受付款。',
    },
    planChanged: '方案已变更，这是新的方案，请重新查看。尚未执行任何操作。',
    unheard: '尚未收到回复。系统会重发同一个请求，直到矿池回复为止；不会重复执行。您可以关闭此窗口，结果会显示在这里。',
    resumed: '这会重发您先前的请求，不会重复执行。',
  },
  part: {
    label: '由余额支付',
    available: '可用 {{amount}}',
    empty: '余额为 0，不必先充值，可直接用钱包支付。',
    nothing: '余额为 0。',
    max: '最大',
    maxLabel: '最大：余额可支付的最多金额',
    abovePrice: '价格为 {{amount}}',
  },
  placed: '订单已创建，尚未付款。您可以在这里付款，稍后回来再付也可以。',
  payUntil: '付款期限',
  left: '还有 {{time}}',
  pay: '支付 {{amount}}',
  payEmpty: '付款',
  reported: '您的设备已发送此订单的付款，矿池尚未看到。若付款失败或已取消，请再次付款：金库只收一笔。',
  settles_other: '付款最终确定后，订单即完成，通常约 {{count}} 分钟。',
  progress: '订单进度',
  steps: {
    made: '已下单',
  },
  now: {
    setAside: '已从余额预留 {{amount}}。',
  },
  closing: '关闭中：已发送的付款仍然有效；否则预留的金额约在 {{time}} 退回。之后即可重新下单。',
  closingOnline: '关闭中：已发送的付款仍然有效；否则订单约在 {{time}} 结束。之后即可重新下单。',
  failures: {
    cancelled: '您取消了这笔订单，也没有付款到达。{{balance}} 已恢复可用。',
    expired: '这笔订单未在期限内付款。{{balance}} 已恢复可用。',
    'level-already-held':
      '付款最终确定时，您已经拥有这个等级。您支付的 {{online}} 已存入您的余额，预留的 {{balance}} 也已恢复可用。',
  },
  failuresOnline: {
    cancelled: '您取消了这笔订单，也没有付款到达。款项并未支付。',
    expired: '这笔订单未在期限内付款。款项并未支付。',
    'level-already-held': '付款最终确定时，您已经拥有这个等级。您支付的 {{online}} 已存入您的余额。',
  },
  cancel: '取消订单',
  cancelTitle: '要取消这笔订单吗？',
  cancelText:
    '已经发送的付款仍然有效，订单会照常进行。如果没有付款，{{amount}} 会在 {{time}} 之后不久恢复可用：到那时才能确定没有付款在途中。',
  cancelOnline:
    '已经发送的付款仍然有效，订单会照常进行。如果没有付款，订单会在 {{time}} 之后不久结束：到那时才能确定没有付款在途中。',
  keep: '保留订单',
  failed: '订单加载失败',
  offlineText: '网络恢复后会自动加载这笔订单。',
  unknown: '没有这笔订单',
  unknownText: '您的所有订单都在订单记录里。',
}
