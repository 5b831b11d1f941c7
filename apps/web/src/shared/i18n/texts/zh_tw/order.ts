import type { order as en } from '../en/order.ts'
import type { Translated } from '../translated.ts'

export const order: Translated<typeof en> = {
  title: '訂單',
  states: {
    paying: '等待付款',
    closing: '關閉中',
    confirming: '等待確認',
    success: '成功',
    failed: '失敗',
  },
  unpaidStates: {
    cancelled: '已取消',
    expired: '已過期',
  },
  parts: '餘額支付 {{balance}} · 錢包支付 {{online}}',
  toPay: {
    online: '待以錢包支付',
    mixed: '餘額支付 {{balance}} · 待錢包支付 {{online}}',
  },
  notPaid: {
    online: '原應以錢包支付，未付款',
    mixed: '未付款（原為餘額 {{balance}}、錢包 {{online}}）',
  },
  paid: {
    online: '已由錢包支付',
    mixed: '餘額支付 {{balance}} · 錢包支付 {{online}}',
  },
  see: '查看訂單',
  open: '請於 {{time}} 前支付 {{amount}}，在此之前您可以隨時回到這筆訂單。',
  planVersion: '方案 v{{version}}',
  form: {
    actual: '需由錢包支付',
    choosePassword: '由餘額支付需要資金密碼，請先設定。',
    enterPassword: '輸入資金密碼',
    submit: '下單',
    submitBalance: '由餘額支付 {{amount}}',
    submitOnline: '下單並支付 {{amount}}',
    walletShort: '您的錢包只有 {{amount}}。',
    getFirst: '下單後須在 {{time}}內付款，請先備妥 {{symbol}} 再下單。',
    payLater: '您可以先下單，並在 {{time}}內付款。',
    obstacles: {
      unreachable: '此頁面目前連不到您的錢包。',
      unread: '無法讀取您錢包的餘額。',
      'vault-paused': '金庫已暫停，目前不接受付款。',
    },
    planChanged: '方案已變更，這是新的方案，請重新查看。尚未執行任何操作。',
    unheard: '尚未收到回覆。系統會重送同一個請求，直到礦池回覆為止；不會重複執行。您可以關閉此視窗，結果會顯示在這裡。',
    resumed: '這會重送您先前的請求，不會重複執行。',
  },
  part: {
    label: '由餘額支付',
    available: '可用 {{amount}}',
    empty: '餘額為 0，不必先存入，可直接用錢包支付。',
    nothing: '餘額為 0。',
    max: '最大',
    maxLabel: '最大：餘額可支付的最多金額',
    abovePrice: '價格為 {{amount}}',
  },
  placed: '訂單已建立，尚未付款。您可以在這裡付款，稍後回來再付也可以。',
  payUntil: '付款期限',
  left: '還有 {{time}}',
  pay: '支付 {{amount}}',
  payEmpty: '付款',
  reported: '您的裝置已送出此訂單的付款，礦池尚未看到。若付款失敗或已取消，請再次付款：金庫只收一筆。',
  settles_other: '付款最終確定後，訂單即完成，通常約 {{count}} 分鐘。',
  progress: '訂單進度',
  steps: {
    made: '已下單',
  },
  now: {
    setAside: '已從餘額保留 {{amount}}。',
  },
  closing: '關閉中：已送出的付款仍然有效；否則保留的金額約於 {{time}} 退回。之後即可重新下單。',
  closingOnline: '關閉中：已送出的付款仍然有效；否則訂單約於 {{time}} 結束。之後即可重新下單。',
  failures: {
    cancelled: '您取消了這筆訂單，也沒有付款送達。{{balance}} 已恢復可用。',
    expired: '這筆訂單未在期限內付款。{{balance}} 已恢復可用。',
    'level-already-held':
      '付款最終確定時，您已經擁有這個等級。您支付的 {{online}} 已存入您的餘額，保留的 {{balance}} 也已恢復可用。',
  },
  failuresOnline: {
    cancelled: '您取消了這筆訂單，也沒有付款送達。款項並未支付。',
    expired: '這筆訂單未在期限內付款。款項並未支付。',
    'level-already-held': '付款最終確定時，您已經擁有這個等級。您支付的 {{online}} 已存入您的餘額。',
  },
  cancel: '取消訂單',
  cancelTitle: '要取消這筆訂單嗎？',
  cancelText:
    '已經送出的付款仍然有效，訂單會照常進行。若沒有付款，{{amount}} 會在 {{time}} 之後不久恢復可用：到那時才能確定沒有付款在途中。',
  cancelOnline:
    '已經送出的付款仍然有效，訂單會照常進行。若沒有付款，訂單會在 {{time}} 之後不久結束：到那時才能確定沒有付款在途中。',
  keep: '保留訂單',
  failed: '無法載入這筆訂單',
  offlineText: '網路恢復後會自動載入這筆訂單。',
  unknown: '沒有這筆訂單',
  unknownText: '您的所有訂單都在訂單紀錄裡。',
}
