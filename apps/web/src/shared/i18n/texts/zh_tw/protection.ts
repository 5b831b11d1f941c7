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

  holds: {
    title: '轉出暫緩中',
    text: '現在申請的轉出，會等到以下各項全部結束才處理。任何人都無法縮短。',
    'address-new': '新的轉出地址',
    'device-new': '新的瀏覽器',
    'password-changed': '資金密碼已變更',
    reset: '資金密碼重設',
    'own-lock': '您自己的鎖定',
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
    codeLostText: '錢包會請您簽署一則訊息，以取得新的設定碼。這只是訊息，不是付款，不會產生任何費用。',
    codeGiven: '已填入新的首次設定碼',
    chosen: '資金密碼已設定',

    change: '修改',
    changeTitle: '修改資金密碼',
    changeText: '修改後 24 小時內，轉出會暫緩處理。',
    changed: '資金密碼已修改',

    reset: '忘記密碼？',
    resetTitle: '重設資金密碼',
    resetText: '適用於遺失密碼時。請設定新密碼，並由錢包確認是您本人。',
    resetWait: '新密碼在 72 小時後生效。',
    resetHold: '生效後再過 24 小時之前，轉出會暫緩處理。',
    resetRefuse: '這段期間無法修改資金密碼和轉出地址；等待中的地址變更會繼續，您可以取消它。',
    resetSessions: '您在其他地方的登入會立即結束。',
    resetNotice: '每個畫面都會顯示這項重設，用目前的密碼可以取消。',
    resetPreview: '錢包會請您簽署一則訊息。這只是訊息，不是付款，不會產生任何費用。',
    resetSubmit: '簽署並重設',
    resetAsked: '重設將等待 72 小時',

    cancelReset: '取消重設',
    cancelResetText: '目前的資金密碼會保留。如果不是您申請重設，表示有人掌握了您的錢包：請把資產轉到另一個錢包。',
    resetCancelled: '已取消重設',
  },

  banner: {
    text: '您的資金密碼將在 {{time}}後重設。',
    action: '不是您？立即取消',
  },

  signing: {
    noWallet: '此瀏覽器中找不到錢包。請在有錢包的地方打開本頁。',
    otherAccount: '錢包目前是 {{account}}。請切換到您登入的帳戶後重試。',
    nothingSigned: '沒有簽署任何內容。',
  },
}
