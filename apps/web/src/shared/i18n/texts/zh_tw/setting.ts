import type { setting as en } from '../en/setting.ts'
import type { Translated } from '../translated.ts'

export const setting: Translated<typeof en> = {
  profile: '個人資料',
  address: '錢包地址',
  pages: '設定頁面',
  transfer: '轉出',
  transferText: '轉到您的轉出地址，以及轉出紀錄',
  orders: '訂單紀錄',
  ordersText: '您的訂單與進度',
  payments: '付款紀錄',
  paymentsText: '您為訂單支付的款項',
  dao: '礦池與方案',
  daoText: '方案與歷史、礦池支出、合夥人申請',
  appearance: '外觀',
  theme: '主題',
  themeSystem: '跟隨系統',
  themePaper: '淺色',
  themeShaft: '深色',
  logout: '登出',
  logoutTitle: '要在此瀏覽器登出嗎？',
  logoutText: '語言和主題會保留。再次進入時，請用錢包登入。',
}
