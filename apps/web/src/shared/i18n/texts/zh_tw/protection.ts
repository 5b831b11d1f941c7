import type { protection as en } from '../en/protection.ts'
import type { Translated } from '../translated.ts'

export const protection: Translated<typeof en> = {
  endsIn: '{{time}}後結束',
  endsAt: '至 {{moment}}',
  time: {
    days: '{{days}} 天 {{hours}} 小時',
    hours: '{{hours}} 小時 {{minutes}} 分鐘',
    minutes: '{{minutes}} 分鐘',
  },

  password: {
    title: '資金密碼',
    whatFor: '轉出、由餘額支付，以及變更這些設定都需要它。它不是錢包密碼。',
    unset: '尚未設定',
    set: '已設定',
    locked: '輸錯五次，已鎖定',
    waiting: '等待重設',
    field: '資金密碼',
    current: '目前的資金密碼',
    next: '新的資金密碼',
    hint: '6 到 20 個英文字母或數字',
    show: '顯示輸入內容',
    hide: '隱藏輸入內容',

    choose: '設定資金密碼',
    chooseText: '請用註冊時的首次設定碼，現在就設定。在此之前無法轉出任何資產。',
    code: '首次設定碼',
    codeHint: '16 碼英數字，註冊時只顯示過一次',
    codeWrong: '應為 16 碼英數字',
    codeLost: '我遺失了設定碼',
    codeLostText:
      '如果設定碼遺失了，錢包會請您簽署一則訊息，以取得新的設定碼。這只是訊息，不是付款，不會產生任何費用。',
    codeGiven: '已填入新的首次設定碼',
    chosen: '資金密碼已設定',
  },

  signing: {
    noWallet: '此瀏覽器中找不到錢包。請在有錢包的地方打開本頁。',
    otherAccount: '錢包目前是 {{account}}。請切換到您登入的帳戶後重試。',
    nothingSigned: '沒有簽署任何內容。',
  },
}
