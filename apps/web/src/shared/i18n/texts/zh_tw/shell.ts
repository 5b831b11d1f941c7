import type { shell as en } from '../en/shell.ts'
import type { Translated } from '../translated.ts'

export const shell: Translated<typeof en> = {
  titles: {
    login: '登入',
    regist: '註冊',
    forbidden: '拒絕存取',
    notFound: '找不到頁面',
    failed: '發生錯誤',
  },
  offline: '您目前離線，畫面內容可能不是最新的。',
  forbidden: {
    title: '您無法開啟此頁面',
    text: '您的帳戶沒有存取權限。沒有任何內容被更改。',
  },
  notFound: {
    title: '這裡沒有礦脈',
    text: '這個網址沒有頁面。頁面可能已移動，或連結不完整。',
  },
  failed: {
    title: '頁面發生錯誤',
    text: '問題出在我們這邊，您的資產沒有變動。請重試。',
  },
  toHome: '返回首頁',
  toLogin: '前往登入',
}
